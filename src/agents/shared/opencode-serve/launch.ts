import type { Launch } from "../../definition.js";
import type { LiveTask } from "../../live-contract.js";
import { mcpConfigOf } from "../opencode-stream/mcp-config.js";
import type { ServeDialect } from "./dialect.js";
import { askForAll } from "./permission-rules.js";

/**
 * `opencode serve`, which Kilo kept, on the loopback interface and any free port. The user's name is set too, since a variable of the
 * caller could change it. Rules for permissions are also given to the session itself: a project's configuration can override
 * these, but not those.
 */
export function launchServe(task: LiveTask, dialect: ServeDialect): Launch {
  const { prefix, env, readOnly } = dialect;
  const permissions = { "full-access": undefined, "read-only": readOnly, ask: askForAll }[task.permissions];
  return {
    args: ["serve", "--hostname", "127.0.0.1", "--port", "0", ...task.extraArgs],
    env: {
      ...env,
      [`${prefix}_SERVER_PASSWORD`]: task.password,
      [`${prefix}_SERVER_USERNAME`]: prefix.toLowerCase(),
      ...mcpConfigOf(task, prefix),
      ...(permissions !== undefined && { [`${prefix}_PERMISSION`]: JSON.stringify(permissions) }),
    },
  };
}
