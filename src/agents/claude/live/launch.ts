import type { Launch, PermissionMode } from "../../definition.js";
import type { LiveTask } from "../../live-contract.js";
import { mcpFiles } from "../../shared/mcp-servers.js";
import { permissionArguments, taskArguments } from "../launch.js";

/**
 * `claude --print` that reads prompts and answers on standard input. Without `--permission-prompt-tool stdio` it refuses by
 * itself whatever needs permission, and asks no questions.
 */
export function launchClaudeLive(task: LiveTask): Launch {
  return {
    args: [
      "--print",
      "--input-format",
      "stream-json",
      "--output-format",
      "stream-json",
      "--verbose",
      "--include-partial-messages",
      "--permission-prompt-tool",
      "stdio",
      ...taskArguments(task, permissions[task.permissions]),
    ],
    ...mcpFiles(task),
  };
}

const permissions: Readonly<Record<PermissionMode, readonly string[]>> = {
  ...permissionArguments,
  // An approved plan would end the plan mode, which is what keeps the session read-only.
  "read-only": [...permissionArguments["read-only"], "--disallowedTools=EnterPlanMode,ExitPlanMode"],
  // The mode is always named, since the settings of a user or a project can have another one.
  ask: ["--permission-mode", "default"],
};
