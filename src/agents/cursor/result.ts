import { asCount, asFlag, asNumber, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import { countTokens } from "../shared/tokens.js";

/**
 * The terminal record. Its text glues every segment together: the answer is the last one, which was said
 * already. There is no cost, and the input count leaves cached tokens out.
 */
export function translateResult(record: JsonObject, lastError: string | undefined, out: Sink): void {
  const { run } = out;
  run.terminalLine = out.lineNumber;
  run.durationMs = asNumber(record["duration_ms"]);
  const usage = asObject(record["usage"]);
  if (usage !== undefined) {
    const counts = countTokens({
      input: asCount(usage["inputTokens"]),
      cacheRead: asCount(usage["cacheReadTokens"]),
      cacheWrite: asCount(usage["cacheWriteTokens"]),
      output: asCount(usage["outputTokens"]),
    });
    run.usage = { ...counts, scope: "run", line: out.lineNumber };
  }
  const text = asText(record["result"]);
  const subtype = asText(record["subtype"]);
  const isError = asFlag(record["is_error"]) === true || (subtype !== undefined && subtype !== "success");
  if (!isError) {
    run.terminal = "success";
    run.failure = undefined;
    if (run.text !== undefined || text === undefined) return out.consume("result: the run's usage");
    run.text = text;
    return out.emit({ type: "agent", message: text });
  }
  run.terminal = "failure";
  const message =
    text ?? asText(record["error"]) ?? lastError ?? `the run failed: ${subtype ?? "no reason given"}`;
  const code = subtype === "success" ? undefined : subtype;
  run.failure = { message, code, isReported: true };
  if (message === lastError) return out.consume("result: an error that was already reported");
  out.emit({ type: "error", message, code });
}
