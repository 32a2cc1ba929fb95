import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * `gemini --prompt=…`: behind `=` a prompt may begin with `-` (a separate word may not, and `--` is not
 * understood). A long one goes through standard input alone. A folder that is not trusted would end the
 * run, and take `--yolo` away, so it is trusted for this run.
 */
export function launchGemini(task: LaunchTask): Launch {
  const args = [
    "--output-format",
    "stream-json",
    "--skip-trust",
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.permissions === "read-only" ? ["--approval-mode", "plan"] : ["--yolo"]),
    ...(task.resume === undefined ? [] : ["--resume", task.resume]),
    ...task.extraArgs,
  ];
  if (isTooLongForArgument(task.prompt)) return { args, stdin: task.prompt };
  return { args: [...args, `--prompt=${task.prompt}`] };
}
