import type { Launch, LaunchTask } from "../definition.js";
import { launchOpencodeRun } from "../shared/opencode-stream/launch.js";

/**
 * Without `KILO_NO_DAEMON` the work is handed to a daemon, if one happens to run: it has another environment,
 * and goes on when the run is stopped.
 */
export function launchKilo(task: LaunchTask): Launch {
  const isReadOnly = task.permissions === "read-only";
  return launchOpencodeRun(task, {
    KILO_NO_DAEMON: "1",
    ...(isReadOnly && { KILO_PERMISSION: JSON.stringify(readOnly) }),
  });
}

/**
 * The `plan` agent still writes plan files and runs commands from a list of its own (7.7.9). Only rules that
 * deny are the last word here, and to deny `*` would leave no tool at all. What is still asked for, such as an
 * MCP tool, is refused and ends the run; `.env` files would be asked for, so they are denied instead.
 */
const readOnly = {
  bash: "deny",
  edit: "deny",
  background_process: "deny",
  read: { "*.env": "deny", "*.env.*": "deny" },
  external_directory: "allow",
};
