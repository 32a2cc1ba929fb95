import { asArray, asNumber, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Sink } from "../contract.js";

/**
 * How the run ended. No single record says it. `status` is SUCCESS and the exit code is 0 even if a tool was
 * denied (`denied_actions`) or the print timeout cut the turn off. Only standard error reports the timeout.
 * The result and the lines of standard error may come in any order.
 */
export interface Result {
  result(result: JsonObject, out: Sink): void;
  diagnostic(line: string, out: Sink): void;
  /** A step had an error. It is the cause if the run fails. */
  stepFailed(message: string, code: string | undefined): void;
  /** The process has exited. */
  flush(out: Sink): void;
}

export function createResult(): Result {
  let timeout: string | undefined;
  let cause: { code?: string | undefined; status?: number | undefined } = {};
  let reported: { message: string; code?: string | undefined } | undefined;

  function timedOut(out: Sink): void {
    if (timeout === undefined) return;
    out.run.failure = { message: timeout, code: "print_timeout", kind: "timed_out", isReported: false };
  }

  function failed(result: JsonObject, status: string, out: Sink): void {
    const error = asObject(result["error"]);
    const message =
      asText(result["error"]) ??
      asText(error?.["message"]) ??
      reported?.message ??
      `the run ended with status ${status}`;
    const code = asText(error?.["type"]) ?? (reported?.message === message ? reported.code : undefined);
    out.run.terminal = "failure";
    out.run.failure = { message, code, status: statusIn(message), ...known(cause), isReported: true };
    if (reported?.message === message) return out.consume("result: an error that was already reported");
    out.emit({ type: "error", message, code: code ?? cause.code });
  }

  return {
    result(result, out) {
      out.run.terminalLine = out.lineNumber;
      const status = asText(result["status"]) ?? "no status";
      if (status.toUpperCase() !== "SUCCESS") return failed(result, status, out);
      const denied = (asArray(result["denied_actions"]) ?? []).map(nameOfAction);
      out.run.terminal = "success";
      out.run.failure = undefined;
      if (denied.length > 0) {
        const message = `a permission was denied: ${denied.join(", ")}`;
        out.run.failure = { message, kind: "permission", isReported: true };
        out.emit({ type: "error", message, code: "permission_denied" });
      }
      timedOut(out);
      out.consume("result: the run's usage");
    },
    diagnostic(line, out) {
      if (/^(?:\[agy\] )?print timeout after /.test(line)) {
        timeout = line;
        timedOut(out);
      }
      const details = /^AGY_ERROR: (\{.*\})\s*$/.exec(line)?.[1];
      if (details === undefined) return;
      cause = readDetails(details);
      if (out.run.failure !== undefined) out.run.failure = { ...out.run.failure, ...known(cause) };
    },
    stepFailed(message, code) {
      reported = { message, code };
    },
    flush(out) {
      if (reported === undefined || out.run.terminal !== undefined || out.run.failure !== undefined) return;
      out.run.failure = {
        ...reported,
        status: statusIn(reported.message),
        ...known(cause),
        isReported: true,
      };
    },
  };
}

function known(cause: { code?: string | undefined; status?: number | undefined }) {
  return {
    ...(cause.code !== undefined && { code: cause.code }),
    ...(cause.status !== undefined && { status: cause.status }),
  };
}

/** `{"status":"RESOURCE_EXHAUSTED","error_code":429,"code_kind":"http",…}`. */
function readDetails(text: string): { code?: string | undefined; status?: number | undefined } {
  const details = asObject(parseJson(text)) ?? {};
  return { code: asText(details["status"]), status: asNumber(details["error_code"]) };
}

/** `UNAVAILABLE (code 503): …`. */
function statusIn(message: string): number | undefined {
  const code = /\(code (\d{3})\)/.exec(message)?.[1];
  return code === undefined ? undefined : Number(code);
}

function nameOfAction(value: JsonValue): string {
  const fields = asObject(value) ?? {};
  return asText(value) ?? asText(fields["display_name"]) ?? asText(fields["action"]) ?? "an action";
}
