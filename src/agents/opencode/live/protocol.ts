import type { LiveProtocol } from "../../live-contract.js";
import { createServeProtocol } from "../../shared/opencode-serve/protocol.js";
import { opencodeReadOnly } from "../launch.js";
import { opencodeDialect } from "../mapping.js";

/** `opencode serve` (recorded with 1.18.33). SIGTERM ends it at once. */
export const opencodeServe: LiveProtocol = createServeProtocol({
  stream: opencodeDialect,
  prefix: "OPENCODE",
  readOnly: opencodeReadOnly,
});
