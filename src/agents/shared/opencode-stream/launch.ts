import type { Launch, LaunchTask } from "../../definition.js";

/**
 * `opencode run`, which Kilo kept. The prompt always travels on standard input: as an argument it reaches the
 * model with quotation marks around it. A read-only run is not given `--auto`, which grants whatever is asked for.
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
