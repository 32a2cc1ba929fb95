import type { Launch, LaunchTask } from "../definition.js";
import { checkedPrompt, joinedOption } from "../shared/launch-arguments.js";

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
      ...joinedOption("--model", task.model),
      ...(task.permissions === "read-only" ? readOnly : ["--always-approve"]),
      ...joinedOption("--system-prompt-override", task.systemPrompt),
      ...joinedOption("--rules", task.appendSystemPrompt),
      ...joinedOption("--max-turns", task.maxTurns),
      ...joinedOption("--resume", task.resume),
      ...task.extraArgs,
      `--single=${checkedPrompt("Grok Build", task.prompt, longestPrompt)}`,
    ],
  };
}

/** Grok does not read a prompt from standard input, and it cannot open `/dev/stdin` as a file. */
const longestPrompt = 127 * 1024;
