import { asNumber, asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink } from "../../contract.js";
import { wholeList } from "../todos.js";
import { translateCall } from "./calls.js";
import type { Dialect } from "./dialect.js";
import { createParts } from "./parts.js";

type Handle = (part: JsonObject, record: JsonObject, out: Sink) => void;

/**
 * The stream of `opencode run --format json` and its fork Kilo: `step_start`, `text`, `reasoning`, `tool_use`,
 * `step_finish`, `error`, each printed when it is complete, with its payload in `part` (flat in old versions).
 */
export function createOpencodeStream(dialect: Dialect): Mapping {
  const parts = createParts();
  let hasSession = false;

  const records: Readonly<Record<string, Handle>> = {
    step_start: parts.stepStart,
    text: parts.text,
    reasoning: parts.reasoning,
    tool_use(part, record, out) {
      if (isCompacted(part))
        return out.consume("tool_use: an earlier call whose output the model no longer gets");
      const { refusal } = translateCall(record, dialect, out);
      if (refusal !== undefined) parts.refused(refusal, "call");
    },
    step_finish: parts.stepFinish,
    error: parts.error,
  };

  return {
    record(record, out) {
      out.identify(firstText(record, ["sessionID", "sessionId", "session_id"]));
      const type = asText(record["type"]) ?? "";
      const handle = Object.hasOwn(records, type) ? records[type] : undefined;
      if (handle === undefined) return;
      if (!hasSession) out.session({});
      hasSession = true;
      if (type !== "error") parts.other();
      handle(asObject(record["part"]) ?? record, record, out);
    },
    diagnostic(message) {
      if (isAutoRejection(message)) parts.refused(message, "program");
    },
    flush: (out) => parts.settle(out.run),
    todoTools: { todowrite: wholeList },
  };
}

/**
 * A call of an earlier turn is printed again when its output is taken out of the conversation (`compaction.prune`, as the
 * source of OpenCode 1 has it). In a resumed session an earlier run made it.
 */
export function isCompacted(part: JsonObject): boolean {
  const time = asObject(asObject(part["state"])?.["time"]);
  return asNumber(time?.["compacted"]) !== undefined;
}

/** On standard error: nobody was there to grant a permission. */
function isAutoRejection(message: string): boolean {
  return message.endsWith("; auto-rejecting") && message.includes("permission requested: ");
}
