import type { Launch, LaunchTask } from "../../definition.js";

/**
 * `opencode run`, which Kilo kept. The prompt is always passed on standard input: as an argument it would reach the
 * model in quotation marks. A read-only run does not get `--auto`, which grants every permission.
 */
export function launchOpencodeRun(task: LaunchTask, env: Record<string, string>): Launch {
  const args = [
    "run",
    "--format",
    "json",
    "--thinking",
    ...(task.permissions === "read-only" ? ["--agent", "plan"] : ["--auto"]),
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.resume === undefined ? [] : ["--session", task.resume]),
    ...task.extraArgs,
  ];
  return { args, env, stdin: task.prompt };
}
