import { isTooLongForArgument, type Launch, type LaunchTask } from "../definition.js";

/**
 * `gemini --prompt=…`: after `=` a prompt may begin with `-` (as a separate argument it may not, and `--` is not
 * supported). A long prompt is passed on standard input only. A folder that is not trusted would end the run and
 * disable `--yolo`, so it is trusted for this run.
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
