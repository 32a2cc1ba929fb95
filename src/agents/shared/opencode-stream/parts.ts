import type { ReportedFailure, RunState } from "../../../events/run-state.js";
import { asFlag, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { createEnding } from "./ending.js";
import { readError } from "./error-record.js";
import { createUsage, type Usage } from "./usage.js";

/** `record` is what becomes `unknown` if the part cannot be read. */
type Handle = (part: JsonObject, record: JsonObject, out: Sink) => void;

/** What the parts of an agent's messages give: the same in a one-shot stream and in that of the server. */
export interface Parts {
  stepStart: Handle;
  text: Handle;
  reasoning: Handle;
  stepFinish: Handle;
  error: Handle;
  /** A permission was refused, which ends the run after this step. */
  refused(message: string, by: "call" | "program"): void;
  /** Anything else came: an error that follows is another one. */
  other(): void;
  /** Says in `run` how it ended. */
  settle(run: RunState): void;
}

export interface PartsOptions {
  usage?: Usage;
  /** They are a subagent's, whose words and end are not those of the run. */
  parentCallId?(): string | undefined;
}

export function createParts({
  usage = createUsage(),
  parentCallId = () => undefined,
}: PartsOptions = {}): Parts {
  const ending = createEnding();
  /** The error of the record before this one. */
  let lastError: ReportedFailure | undefined;

  return {
    stepStart(_part, _record, out) {
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
      const parent = parentCallId();
      if (parent === undefined) out.run.text = message;
      if (isStoredText.test(asText(part["id"]) ?? "")) ending.stepFinished(undefined, out.lineNumber);
      out.emit({ type: "agent", message, messageId: asText(part["messageID"]), parentCallId: parent });
    },
    reasoning(part, record, out) {
      const message = part["text"] ?? part["reasoning"] ?? "";
      if (typeof message !== "string") return out.emit({ type: "unknown", raw: record });
      if (message.trim() === "") return out.consume("reasoning: without words");
      out.emit({ type: "thinking", message, parentCallId: parentCallId() });
    },
    stepFinish(part, _record, out) {
      const reason = asText(part["reason"]);
      usage(part, out, parentCallId());
      ending.stepFinished(reason, out.lineNumber);
      if (reason !== "length") return;
      const message = "the model reached its output limit, so its answer may be incomplete";
      out.emit({ type: "warning", message, code: "length", parentCallId: parentCallId() });
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
      out.emit({ type: "error", message, code, parentCallId: parentCallId() });
    },
    refused: ending.refused,
    other() {
      lastError = undefined;
    },
    settle: ending.settle,
  };
}

/**
 * The id of a text that OpenCode 2 prints from its store once the session is idle, because the records of the step came too
 * late. The end of that step is not printed.
 */
const isStoredText = /_text-\d+$/;
