import type { LiveProtocol } from "../../live-contract.js";
import { createServeProtocol } from "../../shared/opencode-serve/protocol.js";
import { kiloReadOnly } from "../launch.js";
import { kiloDialect } from "../mapping.js";

/**
 * `kilo serve` (recorded with 7.7.9): OpenCode's server with more events. Suggestions, waits for the network, notebooks and sessions
 * of the editor need somebody who can act on them: they are declined. SIGTERM ends it after a second or more.
 */
export const kiloServe: LiveProtocol = createServeProtocol({
  stream: kiloDialect,
  prefix: "KILO",
  env: { KILO_NO_DAEMON: "1" },
  readOnly: kiloReadOnly,
  declined: {
    "suggestion.shown": "suggestion/*/dismiss",
    "session.network.asked": "network/*/reject",
    "kilocode.agent_manager.requested": "kilocode/agent-manager/*/reject",
    "kilocode.notebook.requested": "kilocode/notebook/*/reject",
  },
});
