import { asCount, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { errorOf } from "./calls.js";
import type { Dialect } from "./dialect.js";

/** The terminal record. An error that an `error` record has reported is the cause. It is not reported again. */
export function translateResult(
  record: JsonObject,
  dialect: Dialect,
  lastError: string | undefined,
  out: Sink,
): void {
  const { run } = out;
  const stats = asObject(record["stats"]) ?? {};
  const tokens = dialect.tokensOf(stats);
  run.terminalLine = out.lineNumber;
  if (tokens !== undefined) run.usage = { ...tokens, scope: "run", line: out.lineNumber };
  /** 0 in results with an error. */
  run.durationMs = asCount(stats["duration_ms"]) || undefined;
  dialect.result?.(record, out);

  const status = asText(record["status"]);
  if (status === "success") {
    run.terminal = "success";
    run.failure = undefined;
    return out.consume("result: the run's usage");
  }
  run.terminal = "failure";
  const words = wordsOf(record);
  const cause = words === undefined ? undefined : (dialect.cause?.(words) ?? { message: words });
  const message = cause?.message ?? lastError ?? `the run failed: ${status ?? "no reason given"}`;
  const code = cause?.code ?? codeOf(record, status);
  const kind =
    status !== undefined && dialect.statusKinds && Object.hasOwn(dialect.statusKinds, status)
      ? dialect.statusKinds[status]
      : undefined;
  const httpStatus = cause?.status ?? asCount(asObject(record["error"])?.["code"]);
  run.failure = { message, code, status: httpStatus, kind, isReported: true };
  if (lastError === message) return out.consume("result: an error that was already reported");
  out.emit({ type: "error", message, code });
}

function wordsOf(record: JsonObject): string | undefined {
  const error = errorOf(record);
  if (error === undefined || error === "") return undefined;
  return typeof error === "string" ? error : JSON.stringify(error);
}

/** The agent's own code: the type of the error, else a status other than "error". */
function codeOf(record: JsonObject, status: string | undefined): string | undefined {
  const type = asText(asObject(record["error"])?.["type"]);
  if (type !== undefined && type !== "unknown") return type;
  return status === "error" ? undefined : status;
}
