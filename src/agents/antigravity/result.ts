import type { ReportedFailure } from "../../events/run-state.js";
import { asArray, asNumber, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Sink } from "../contract.js";
import { type Cause, kindInWords, kindOfStatusWord, objections, readCause } from "./sentences.js";

/**
 * How the run ended. No single record says it. `status` is SUCCESS and the exit code is 0 even if a tool was denied
 * (`denied_actions`; before 1.1.26 only the call says so) or the print timeout cut the turn off, which only standard
 * error reports. The result and the lines of standard error may come in any order.
 */
export interface Result {
  result(result: JsonObject, out: Sink): void;
  diagnostic(line: string, out: Sink): void;
  /** A step had an error. It is the cause if the run fails. `isReported`: it was emitted as an `error`. */
  stepFailed(message: string, code: string | undefined, isReported: boolean): void;
  /** A call ended with this error. */
  callFailed(message: string): void;
  /** The process has exited. */
  flush(out: Sink): void;
}

export function createResult(): Result {
  /** What standard error says against a success. */
  let objection: ReportedFailure | undefined;
  let cause: Cause = {};
  let reported: { message: string; code?: string | undefined; isReported: boolean } | undefined;
  let deniedCall: string | undefined;

  function object(out: Sink): void {
    if (out.run.terminal === "failure" || out.run.failure?.isReported) return;
    out.run.failure = objection ?? out.run.failure;
  }

  function denied(message: string, out: Sink): void {
    out.run.failure = { message, kind: "permission", isReported: true };
    out.emit({ type: "error", message, code: "permission_denied" });
  }

  function failed(result: JsonObject, status: string, out: Sink): void {
    const error = asObject(result["error"]);
    const refused = deniedActions(result);
    const message =
      asText(result["error"]) ??
      asText(error?.["message"]) ??
      refused ??
      reported?.message ??
      `the run ended with status ${status}`;
    const own = reported?.message === message ? reported : undefined;
    const kind =
      kindOfStatusWord(status) ?? kindInWords(message) ?? (message === refused ? "permission" : undefined);
    const read = readCause(message);
    const code = asText(error?.["type"]) ?? own?.code ?? read.code;
    out.run.terminal = "failure";
    out.run.failure = { message, code, status: read.status, kind, ...known(cause), isReported: true };
    if (own?.isReported) return out.consume("result: an error that was already reported");
    out.emit({ type: "error", message, code: code ?? cause.code });
  }

  return {
    result(result, out) {
      out.run.terminalLine = out.lineNumber;
      const status = asText(result["status"]) ?? "no status";
      if (status.toUpperCase() !== "SUCCESS") return failed(result, status, out);
      out.run.terminal = "success";
      out.run.failure = undefined;
      const refused = deniedActions(result) ?? (asText(result["response"])?.trim() ? undefined : deniedCall);
      if (refused !== undefined) denied(refused, out);
      object(out);
      out.consume("result: the run's usage");
    },
    diagnostic(line, out) {
      const found = objections.find(({ words }) => words.test(line));
      if (found !== undefined) {
        objection = { message: line, code: found.code, kind: found.kind, isReported: false };
        object(out);
      }
      const details = /^AGY_ERROR: (\{.*\})\s*$/.exec(line)?.[1];
      if (details === undefined) return;
      cause = readDetails(details);
      if (out.run.failure !== undefined) out.run.failure = { ...out.run.failure, ...known(cause) };
    },
    stepFailed(message, code, isReported) {
      reported = { message, code, isReported };
    },
    callFailed(message) {
      if (kindInWords(message) === "permission") deniedCall = message.split("\n", 1)[0];
    },
    flush(out) {
      if (reported === undefined || out.run.terminal !== undefined || out.run.failure !== undefined) return;
      out.run.failure = { ...readCause(reported.message), ...reported, ...known(cause) };
    },
  };
}

function known(cause: Cause): Cause {
  return {
    ...(cause.code !== undefined && { code: cause.code }),
    ...(cause.status !== undefined && { status: cause.status }),
  };
}

/** `{"status":"RESOURCE_EXHAUSTED","error_code":429,"code_kind":"http",…}`. */
function readDetails(text: string): Cause {
  const details = asObject(parseJson(text)) ?? {};
  return { code: asText(details["status"]), status: asNumber(details["error_code"]) };
}

function deniedActions(result: JsonObject): string | undefined {
  const names = (asArray(result["denied_actions"]) ?? []).map(nameOfAction);
  return names.length === 0 ? undefined : `a permission was denied: ${names.join(", ")}`;
}

function nameOfAction(value: JsonValue): string {
  const fields = asObject(value) ?? {};
  return asText(value) ?? asText(fields["display_name"]) ?? asText(fields["action"]) ?? "an action";
}
