import { asNumber, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../contract.js";
import { countTokens } from "../shared/tokens.js";
import { createNativeSteps } from "./native-steps.js";
import { createPlainOutput } from "./plain-output.js";
import { createResult } from "./result.js";
import { createSpeech } from "./speech.js";
import { largerOf, tokensOfUsage } from "./usage.js";

/** Antigravity `--output-format stream-json` (since 1.1.8); older versions print plain text. */
export function createAntigravityMapping(options: TranslatorOptions): Mapping {
  const speech = createSpeech();
  const result = createResult();
  const steps = createNativeSteps({ speech, result });
  const plain = createPlainOutput();
  let isStructured = false;

  function isUnderstood(record: JsonObject, out: Sink): boolean {
    switch (record["event"]) {
      case "init": {
        const about = asObject(record["init"]) ?? {};
        out.identify(asText(record["conversation_id"]));
        out.session({ model: asText(about["model"]), cwd: asText(about["cwd"]) });
        return true;
      }
      case "step_update":
        return steps.update(record, out);
      case "result":
        endRun(asObject(record["result"]) ?? record, out);
        return true;
      default:
        if (!isBareResult(record)) return false;
        endRun(record, out);
        return true;
    }
  }

  /**
   * In a resumed run, the numbers of the result cover the whole conversation. Otherwise they should be the sum of the steps. The
   * result can leave steps out (1.1.8), and a step can miss its tokens (an interrupted one), so the larger sum counts.
   */
  function endRun(fields: JsonObject, out: Sink): void {
    speech.end(out);
    out.identify(asText(fields["conversation_id"]));
    speech.restated(asText(fields["response"]), out);
    const seconds = asNumber(fields["duration_seconds"]);
    if (seconds !== undefined && !options.isResumed) out.run.durationMs = Math.round(seconds * 1000);
    const own = steps.tokens;
    const reported = tokensOfUsage(fields["usage"]);
    const tokens = options.isResumed ? (own ?? reported) : largerOf(reported, own);
    const scope = options.isResumed && own === undefined ? "session" : "run";
    if (tokens !== undefined) out.run.usage = { ...countTokens(tokens), scope, line: out.lineNumber };
    result.result(fields, out);
  }

  return {
    record(record, out) {
      isStructured = true;
      if (!isUnderstood(record, out)) out.emit({ type: "unknown", raw: record });
    },
    text: plain.line,
    diagnostic: result.diagnostic,
    flush(out) {
      speech.end(out);
      if (!isStructured) plain.end(out);
      if (steps.tokens !== undefined) out.run.usage ??= { ...countTokens(steps.tokens), scope: "run" };
      result.flush(out);
    },
  };
}

/** `--output-format json` prints the result without the record around it. */
function isBareResult(record: JsonObject): boolean {
  return record["event"] === undefined && record["status"] !== undefined && record["response"] !== undefined;
}
