import type { LaunchTask } from "../../definition.js";

/**
 * The arguments of `opencode run`, which Kilo kept. The prompt is none of them: as an argument it reaches the
 * model with quotation marks around it, so it always travels on standard input. Read-only runs are not given
 * `--auto`, which would grant whatever is asked for.
 */
export function opencodeArguments(task: LaunchTask): string[] {
  return [
    "run",
    "--format",
    "json",
    "--thinking",
    ...(task.permissions === "read-only" ? ["--agent", "plan"] : ["--auto"]),
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.resume === undefined ? [] : ["--session", task.resume]),
    ...task.extraArgs,
  ];
}
