import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";

/**
 * `session` comes before everything else. The answer to `get_state`, which the peer asks for first, has what `--mode json`
 * prints at the start. A client that does not ask learns the model with the first answer.
 */
export interface RpcSession {
  /** The answer to `get_state`. */
  state(response: JsonObject, out: Sink): void;
  /** `message_start` or `message_end` was translated. */
  met(record: JsonObject, out: Sink): void;
  /** Something is emitted that must not wait for the model. */
  require(out: Sink): void;
  /** Reports what the user said, as soon as the session is known. */
  say(message: string, out: Sink): void;
  isKnown(): boolean;
}

export function createRpcSession(): RpcSession {
  let isKnown = false;
  let unsaid: string[] = [];

  function know(out: Sink): void {
    if (isKnown) return;
    isKnown = true;
    for (const message of unsaid) out.emit({ type: "agent", message, role: "user" });
    unsaid = [];
  }

  return {
    state(response, out) {
      const state = asObject(response["data"]);
      out.identify(asText(state?.["sessionId"]));
      const model = asText(asObject(state?.["model"])?.["id"]);
      if (model === undefined) return;
      out.session({ model, cwd: out.cwd });
      know(out);
    },
    met(record, out) {
      if (asObject(record["message"])?.["role"] === "assistant") know(out);
    },
    require(out) {
      if (!isKnown) out.session({});
      know(out);
    },
    say(message, out) {
      if (isKnown) out.emit({ type: "agent", message, role: "user" });
      else unsaid.push(message);
    },
    isKnown: () => isKnown,
  };
}
