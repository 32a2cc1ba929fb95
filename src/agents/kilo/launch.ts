import type { Launch, LaunchTask } from "../definition.js";
import { opencodeArguments } from "../shared/opencode-stream/arguments.js";

/**
 * `kilo run`, which is launched as OpenCode is. Without `KILO_NO_DAEMON` the work may be handed to a daemon that
 * happens to run: it has its own environment and would go on when the run is stopped.
 */
export function launchKilo(task: LaunchTask): Launch {
  const isReadOnly = task.permissions === "read-only";
  return {
    args: opencodeArguments(task),
    env: {
      PWD: task.cwd,
      KILO_NO_DAEMON: "1",
      ...(isReadOnly && { KILO_PERMISSION: JSON.stringify(readOnlyPermission) }),
    },
    stdin: task.prompt,
  };
}

/**
 * The `plan` agent still writes plan files and runs commands from a list that it holds harmless (7.7.9). Rules that
 * deny are the last word for every agent; to deny `*` would take all tools away. What is asked for (an MCP tool) is refused, and that ends the run; a `.env` file
 * is denied, so that the run goes on.
 */
const readOnlyPermission = {
  bash: "deny",
  edit: "deny",
  background_process: "deny",
  read: { "*.env": "deny", "*.env.*": "deny" },
  external_directory: "allow",
};
