import type { Launch, LaunchTask } from "../../definition.js";
import { type PermissionConfig, permissionsFor } from "../opencode-serve/permission-rules.js";
import { mcpConfigOf } from "./mcp-config.js";

/** The names of variants. Which of them a model has depends on its provider, and others are ignored (1.18.33). */
export const opencodeEffort: readonly string[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/**
 * `opencode run`, which Kilo kept. The prompt is always passed on standard input: as an argument it would reach the
 * model in quotation marks. A read-only run does not get `--auto`, which grants every permission.
 */
export function launchOpencodeRun(
  task: LaunchTask,
  {
    prefix,
    readOnly,
    env = {},
  }: { prefix: string; readOnly: PermissionConfig; env?: Record<string, string> },
): Launch {
  const permissions = permissionsFor(task, readOnly);
  const args = [
    "run",
    "--format",
    "json",
    "--thinking",
    ...(task.permissions === "read-only" ? ["--agent", "plan"] : ["--auto"]),
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.effort === undefined ? [] : ["--variant", task.effort]),
    ...(task.resume === undefined ? [] : ["--session", task.resume]),
    ...task.extraArgs,
  ];
  return {
    args,
    env: {
      ...env,
      ...mcpConfigOf(task, prefix),
      ...(permissions !== undefined && { [`${prefix}_PERMISSION`]: JSON.stringify(permissions) }),
    },
    stdin: task.prompt,
  };
}
