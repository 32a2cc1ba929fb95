import type { LiveProtocol } from "../../live-contract.js";
import { createServeProtocol } from "../../shared/opencode-serve/protocol.js";
import { opencodeReadOnly } from "../launch.js";
import { opencodeDialect } from "../mapping.js";

/**
 * `opencode serve` (recorded with 1.18.33). SIGTERM ends it at once.
 *
 * Its commands inherit the password of the server (Kilo's do not): a command that was allowed could answer the requests that
 * follow. It could do whatever they ask for anyway, since it runs as the user.
 */
export const opencodeServe: LiveProtocol = createServeProtocol({
  stream: opencodeDialect,
  prefix: "OPENCODE",
  readOnly: opencodeReadOnly,
});
