import type { ReportedFailure } from "../../../events/run-state.js";
import { asFlag, asNumber, asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink } from "../../contract.js";
import { wholeList } from "../todos.js";
import { translateCall } from "./calls.js";
import type { Dialect } from "./dialect.js";
import { createEnding } from "./ending.js";
import { readError } from "./error-record.js";
import { createUsage } from "./usage.js";

type Handle = (part: JsonObject, record: JsonObject, out: Sink) => void;

/**
 * The stream of `opencode run --format json` and its fork Kilo: `step_start`, `text`, `reasoning`, `tool_use`,
 * `step_finish`, `error`, each printed when it is complete, with its payload in `part` (flat in old versions).
 */
export function createOpencodeStream(dialect: Dialect): Mapping {
  const usage = createUsage();
  const ending = createEnding();
  let hasSession = false;
  /** The error of the record before this one. */
  let lastError: ReportedFailure | undefined;

  const records: Readonly<Record<string, Handle>> = {
    step_start(_part, _record, out) {
      ending.goesOn();
      out.consume("step_start");
    },
    text(part, record, out) {
      if (asFlag(part["synthetic"]) === true || asFlag(part["ignored"]) === true) {
        ending.goesOn();
        return out.consume("text: put to the model by the agent's own program");
      }
      if (typeof part["text"] !== "string") return out.emit({ type: "unknown", raw: record });
      const message = part["text"];
      if (message.trim() === "") return out.consume("text: empty");
      out.run.text = message;
      if (isStoredText.test(asText(part["id"]) ?? "")) ending.stepFinished(undefined, out.lineNumber);
      out.emit({ type: "agent", message, messageId: asText(part["messageID"]) });
    },
    reasoning(part, record, out) {
      const message = part["text"] ?? part["reasoning"] ?? "";
      if (typeof message !== "string") return out.emit({ type: "unknown", raw: record });
      if (message.trim() === "") return out.consume("reasoning: without words");
      out.emit({ type: "thinking", message });
    },
    tool_use(part, record, out) {
      if (isCompacted(part))
        return out.consume("tool_use: an earlier call whose output the model no longer gets");
      const { refusal } = translateCall(record, dialect, out);
      if (refusal !== undefined) ending.refused(refusal, "call");
    },
    step_finish(part, _record, out) {
      const reason = asText(part["reason"]);
      usage(part, out);
      ending.stepFinished(reason, out.lineNumber);
      if (reason !== "length") return;
      const message = "the model reached its output limit, so its answer may be incomplete";
      out.emit({ type: "warning", message, code: "length" });
    },
    /** A failure that is reported twice in a row, with nothing tried in between, is one failure. */
    error(_part, record, out) {
      const failure = readError(record);
      if (failure === undefined) return out.emit({ type: "unknown", raw: record });
      ending.failed(failure, out.lineNumber);
      const { message, code } = failure;
      if (message === lastError?.message && code === lastError.code)
        return out.consume("error: reported again");
      lastError = failure;
      out.emit({ type: "error", message, code });
    },
  };

  return {
    record(record, out) {
      out.identify(firstText(record, ["sessionID", "sessionId", "session_id"]));
      const type = asText(record["type"]) ?? "";
      const handle = Object.hasOwn(records, type) ? records[type] : undefined;
      if (handle === undefined) return;
      if (!hasSession) out.session({});
      hasSession = true;
      if (type !== "error") lastError = undefined;
      handle(asObject(record["part"]) ?? record, record, out);
    },
    diagnostic(message) {
      if (isAutoRejection(message)) ending.refused(message, "program");
    },
    flush: (out) => ending.settle(out.run),
    todoTools: { todowrite: wholeList },
  };
}

/**
 * The id of a text that OpenCode 2 prints from its store once the session is idle, because the records of the step came too
 * late. The end of that step is not printed.
 */
const isStoredText = /_text-\d+$/;

/**
 * A call of an earlier turn is printed again when its output is taken out of the conversation (`compaction.prune`, as the
 * source of OpenCode 1 has it). In a resumed session an earlier run made it.
 */
function isCompacted(part: JsonObject): boolean {
  const time = asObject(asObject(part["state"])?.["time"]);
  return asNumber(time?.["compacted"]) !== undefined;
}

/** On standard error: nobody was there to grant a permission. */
function isAutoRejection(message: string): boolean {
  return message.endsWith("; auto-rejecting") && message.includes("permission requested: ");
}
