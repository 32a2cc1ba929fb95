import type { Launch, LaunchTask } from "../definition.js";
import type { PermissionConfig } from "../shared/opencode-serve/permission-rules.js";
import { launchOpencodeRun } from "../shared/opencode-stream/launch.js";

/**
 * Without `KILO_NO_DAEMON`, Kilo hands the work to a daemon if one is running. The daemon has another environment, and
 * goes on when the run is stopped.
 */
export function launchKilo(task: LaunchTask): Launch {
  return launchOpencodeRun(task, {
    prefix: "KILO",
    readOnly: kiloReadOnly,
    env: { KILO_NO_DAEMON: "1" },
  });
}

/**
 * The `plan` agent still writes plan files and runs commands from its own list (7.7.9). Only `deny` rules override it, and
 * denying `*` would leave no tool at all. A permission that is still requested, for example for an MCP tool, is refused
 * and ends the run. Reading `.env` files would request one, so it is denied instead.
 */
export const kiloReadOnly: PermissionConfig = {
  bash: "deny",
  edit: "deny",
  background_process: "deny",
  read: { "*.env": "deny", "*.env.*": "deny" },
  external_directory: "allow",
};
