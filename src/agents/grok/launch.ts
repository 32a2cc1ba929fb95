import type { Launch, LaunchTask } from "../definition.js";
import { checkedPrompt, joinedOption } from "../shared/launch-arguments.js";

/**
 * `grok --single=…`. After `=` a prompt may begin with `-`. With partial messages a call is printed when it starts, otherwise
 * only when it has ended. Without a terminal Grok cannot ask for permission, and a denied call ends the run. So a read-only run
 * gets only the tools that read.
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
