import { asNumber, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Draft, Sink } from "../contract.js";

/**
 * A failed request. Pi reports the failure first, and only then whether it retries, so the error is held until a retry is
 * ruled out. The last one is why the run failed, and Pi still exits 0.
 */
export interface HeldError {
  /** An answer ended with an error, or was aborted. `hasText`: it had begun to say something. */
  hold(message: JsonObject, hasText: boolean, out: Sink): void;
  /** `auto_retry_start`. */
  retry(record: JsonObject, out: Sink): void;
  /** Pi goes on without giving a reason, as it does after compaction. */
  supersede(out: Sink): void;
  /** No retry can follow: the error is the run's. */
  report(out: Sink): void;
  /** Drops the error: the request was interrupted. False if there is none. */
  forget(): boolean;
  isHeld(): boolean;
}

interface Cause {
  message: string;
  code?: string | undefined;
  status?: number | undefined;
  kind?: "cancelled" | undefined;
}

export function createHeldError(): HeldError {
  let held: { cause: Cause; hasText: boolean; line: number } | undefined;

  return {
    hold(message, hasText, out) {
      const isAborted = message["stopReason"] === "aborted";
      const words =
        asText(message["errorMessage"]) ?? (isAborted ? "the request was aborted" : "the request failed");
      const cause: Cause = { ...causeOf(words), ...(isAborted && { kind: "cancelled" }) };
      held = { cause, hasText, line: out.lineNumber };
      out.consume("message_end: an error, held until a retry is ruled out");
    },
    retry(record, out) {
      emitRetry(record, held?.cause.message ?? asText(record["errorMessage"]), out);
      if (held?.hasText) out.emit(withdrawn);
      held = undefined;
    },
    supersede(out) {
      if (held === undefined) return;
      out.emit({
        type: "warning",
        message: `request failed (${held.cause.message}): Pi went on`,
        code: held.cause.code,
        line: held.line,
      });
      held = undefined;
    },
    report(out) {
      if (held === undefined) return;
      const { line, cause } = held;
      held = undefined;
      out.run.failure = { ...cause, isReported: true };
      out.emit({ type: "error", message: cause.message, code: cause.code, line });
    },
    forget() {
      const wasHeld = held !== undefined;
      held = undefined;
      return wasHeld;
    },
    isHeld: () => held !== undefined,
  };
}

/** Before a retry, Pi takes the answer that failed out of the conversation (0.74.2, 1.4.0). */
const withdrawn: Draft<"warning"> = {
  type: "warning",
  message: "the answer that failed is withdrawn: Pi asks for it again",
  code: "text_withdrawn",
};

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
