import { asNumber, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Sink } from "../contract.js";

/**
 * A failed request. Pi reports the failure first, and only then whether it retries, so the error is held until a retry is
 * ruled out. The last one is why the run failed, and Pi still exits 0.
 */
export interface HeldError {
  /** An answer ended with an error, or was aborted. */
  hold(message: JsonObject, out: Sink): void;
  /** `auto_retry_start`. */
  retry(record: JsonObject, out: Sink): void;
  /** Pi goes on without giving a reason, as it does after compaction. */
  supersede(out: Sink): void;
  /** No retry can follow: the error is the run's. */
  report(out: Sink): void;
  isHeld(): boolean;
}

interface Cause {
  message: string;
  code?: string | undefined;
  status?: number | undefined;
  kind?: "cancelled" | undefined;
}

export function createHeldError(): HeldError {
  let held: (Cause & { line: number }) | undefined;

  return {
    hold(message, out) {
      const isAborted = message["stopReason"] === "aborted";
      const words =
        asText(message["errorMessage"]) ?? (isAborted ? "the request was aborted" : "the request failed");
      held = { ...causeOf(words), ...(isAborted && { kind: "cancelled" }), line: out.lineNumber };
      out.consume("message_end: an error, held until a retry is ruled out");
    },
    retry(record, out) {
      const cause = held?.message ?? asText(record["errorMessage"]);
      held = undefined;
      emitRetry(record, cause, out);
    },
    supersede(out) {
      if (held === undefined) return;
      out.emit({
        type: "warning",
        message: `request failed (${held.message}): Pi went on`,
        code: held.code,
        line: held.line,
      });
      held = undefined;
    },
    report(out) {
      if (held === undefined) return;
      const { line, ...cause } = held;
      held = undefined;
      out.run.failure = { ...cause, isReported: true };
      out.emit({ type: "error", message: cause.message, code: cause.code, line });
    },
    isHeld: () => held !== undefined,
  };
}

/** A failed request that is retried. It is never a failure of the run. */
export function emitRetry(record: JsonObject, cause: string | undefined, out: Sink): void {
  const [attempt, most, delay] = ["attempt", "maxAttempts", "delayMs"].map((key) => asNumber(record[key]));
  const which = attempt === undefined ? "" : ` ${attempt}${most === undefined ? "" : ` of ${most}`}`;
  const when = delay === undefined ? "" : ` in ${Math.round(delay)} ms`;
  out.emit({
    type: "warning",
    message: `request failed (${cause ?? "no reason given"}): retry${which}${when}`,
  });
}

/** `401 Incorrect API key …`. In 0.87 the response of the provider: `400: {"message": …, "code": …}`. */
function causeOf(words: string): Cause {
  const [, digits, rest = ""] = /^([45]\d\d):? ([\s\S]+)$/.exec(words) ?? [];
  const status = digits === undefined ? undefined : Number(digits);
  const body = rest.startsWith("{") ? asObject(parseJson(rest)) : undefined;
  const error = asObject(body?.["error"]) ?? body;
  const message = asText(error?.["message"]);
  if (message === undefined) return { message: words, status };
  return { message, code: asText(error?.["code"]) ?? asText(error?.["type"]), status };
}
