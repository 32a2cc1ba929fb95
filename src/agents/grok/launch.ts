import { HarnessError } from "../../errors.js";
import type { Launch, LaunchTask } from "../definition.js";

/**
 * `grok --single=…`: after `=` a text may begin with `-`. With partial messages a call is printed when it starts, else only
 * when it has ended. Without a terminal Grok cannot be asked for permission: a denied call ends the run. So read-only
 * leaves it only the tools that read.
 */
export function launchGrok(task: LaunchTask): Launch {
  const readOnly = ["--permission-mode=plan", "--tools=read_file,grep,list_dir"];
  return {
    args: [
      "--output-format=streaming-messages-json",
      "--include-partial-messages",
      ...option("--model", task.model),
      ...(task.permissions === "read-only" ? readOnly : ["--always-approve"]),
      ...option("--system-prompt-override", task.systemPrompt),
      ...option("--rules", task.appendSystemPrompt),
      ...option("--max-turns", task.maxTurns),
      ...option("--resume", task.resume),
      ...task.extraArgs,
      `--single=${checked(task.prompt)}`,
    ],
  };
}

function option(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${flag}=${value}`];
}

/** Linux allows 128 KiB per argument. */
const longestArgument = 127 * 1024;

/** It reads no prompt from standard input, and `/dev/stdin` cannot be opened as a file. */
function checked(prompt: string): string {
  const bytes = new TextEncoder().encode(prompt).length;
  if (bytes <= longestArgument) return prompt;
  throw new HarnessError(
    "prompt_too_long",
    `Grok Build takes a prompt only as an argument of at most ${longestArgument} bytes, and this prompt has ${bytes}; put its long part into a file and name that file in the prompt`,
  );
}
