import { asInteger, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Sink } from "../contract.js";
import { withdrawnMessage } from "../shared/withdrawn-text.js";

/** Requests that failed, and how the run ended. */
export interface Result {
  /** `model.call_failure`: a retry or `session.error` follows. */
  callFailed(record: JsonObject, out: Sink): void;
  /** `assistant.turn_retry`. `isWithdrawn`: a part of the answer was already emitted. */
  retried(record: JsonObject, parentCallId: string | undefined, isWithdrawn: boolean, out: Sink): void;
  failed(record: JsonObject, parentCallId: string | undefined, out: Sink): void;
  aborted(record: JsonObject, parentCallId: string | undefined, out: Sink): void;
  turnStarted(): void;
  /** A line of standard error. Copilot refuses to start with a sentence there, and prints no record. */
  diagnostic(message: string, out: Sink): void;
  result(record: JsonObject, isResumed: boolean, out: Sink): void;
  /** The stream has ended. A request that failed without a retry or an error is reported. */
  flush(out: Sink): void;
}

export function createResult(): Result {
  let held: { message: string; code: string | undefined; line: number } | undefined;
  /** Set once the run was aborted. Its result then has the exit code 0 (1.0.102, SIGTERM). */
  let abortion: string | undefined;

  return {
    callFailed(record, out) {
      const data = asObject(record["data"]) ?? {};
      const message = wordsOf(data) ?? "a request to the model failed";
      const code = asText(data["errorCode"]) ?? asText(data["failureKind"]);
      held = { message, code, line: out.lineNumber };
      out.consume("model.call_failure: a retry or the error of the run follows");
    },
    retried(record, parentCallId, isWithdrawn, out) {
      const reason = asText(asObject(record["data"])?.["reason"]);
      const cause = held?.message ?? reason ?? "the request failed";
      held = undefined;
      if (isWithdrawn)
        out.emit({ type: "warning", message: withdrawnMessage, code: "text_withdrawn", parentCallId });
      const message = `the request is tried again: ${cause}`;
      out.emit({ type: "warning", message, code: reason, parentCallId });
    },
    failed(record, parentCallId, out) {
      const data = asObject(record["data"]) ?? {};
      const message = asText(data["message"]);
      if (message === undefined) return;
      held = undefined;
      const code = asText(data["errorCode"]) ?? asText(data["errorType"]);
      if (parentCallId === undefined)
        out.run.failure = {
          message,
          code,
          status: asInteger(data["statusCode"]),
          kind: emptyAnswer.test(message) ? "provider" : undefined,
          isReported: true,
        };
      out.emit({ type: "error", message, code, parentCallId });
    },
    aborted(record, parentCallId, out) {
      const reason = asText(asObject(record["data"])?.["reason"]);
      const message = `the turn was aborted${reason === undefined ? "" : ` (${reason})`}`;
      if (parentCallId === undefined) abortion = message;
      out.emit({ type: "error", message, parentCallId });
    },
    turnStarted() {
      abortion = undefined;
    },
    diagnostic(message, out) {
      if (refusals.some((words) => words.test(message)))
        out.run.failure ??= { message, kind: "config", isReported: false };
    },
    result(record, isResumed, out) {
      const exitCode = asInteger(record["exitCode"]);
      if (exitCode === undefined) return;
      const { run } = out;
      run.terminalLine = out.lineNumber;
      // The durations of a resumed session include those of its earlier runs.
      const durationMs = asInteger(asObject(record["usage"])?.["sessionDurationMs"]);
      if (!isResumed) run.durationMs = durationMs;
      run.terminal = exitCode === 0 && abortion === undefined ? "success" : "failure";
      if (run.terminal === "success") run.failure = undefined;
      else if (abortion !== undefined)
        run.failure = { message: abortion, kind: "cancelled", isReported: true };
      else run.failure ??= { message: `Copilot reported exit code ${exitCode}`, isReported: false };
      out.consume("result: how the run ended");
    },
    flush(out) {
      if (held === undefined) return;
      out.emit({ type: "warning", ...held });
      held = undefined;
    },
  };
}

/** The model's answer had neither words nor calls (1.0.102). */
const emptyAnswer = /^No response was returned\./;

/** What Copilot prints if it refuses to start (1.0.102). */
const refusals: readonly RegExp[] = [
  /^BYOK providers require an explicit model\./,
  /^Error: No session, task, or name matched /,
  /^No prompt provided\./,
];

/** `errorMessage` is the answer of the server, or a sentence, as JSON text. */
function wordsOf(data: JsonObject): string | undefined {
  const text = asText(data["errorMessage"]);
  if (text === undefined) return undefined;
  const value = parseJson(text);
  return asText(asObject(value)?.["message"]) ?? (typeof value === "string" ? asText(value) : text);
}
