import type { Failure, FailureKind } from "../../events/failure.js";
import type { TokenCounts } from "../../events/usage.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { usageOf } from "./messages.js";
import type { ClaudeDraft, ClaudeModelUsage, ClaudeResult } from "./schema.js";

/** How a run or a turn ended. */
export interface EndFacts {
  isSuccess: boolean;
  failure: Failure | undefined;
  text: string | undefined;
  output: JsonValue | undefined;
  durationMs: number;
  costUsd: number | undefined;
  /** Of this turn or run. Undefined: not known, or said by the results before. */
  usage: TokenCounts | undefined;
  /** Of the whole run so far. */
  total: TokenCounts | undefined;
  model: string;
  messages: number;
  denials: ClaudeResult["permission_denials"];
  /** What the record has no field for. */
  facts: JsonObject;
}

/** How Claude Code says this kind of failure. Any other one is an error during the execution, and its message says which. */
const ways: Readonly<
  Partial<
    Record<
      FailureKind,
      Partial<Pick<ClaudeResult, "subtype" | "terminal_reason" | "api_error_status" | "stop_reason">>
    >
  >
> = {
  auth: { subtype: "success", api_error_status: 401 },
  quota: { subtype: "success", api_error_status: 402 },
  rate_limit: { subtype: "success", api_error_status: 429 },
  provider: { subtype: "success", api_error_status: 500 },
  context_overflow: { terminal_reason: "prompt_too_long" },
  max_turns: { subtype: "error_max_turns", terminal_reason: "max_turns" },
  budget: { subtype: "error_max_budget_usd" },
  schema: { subtype: "error_max_structured_output_retries" },
  cancelled: { terminal_reason: "aborted_streaming" },
  refusal: { stop_reason: "refusal" },
};

export function resultRecord(end: EndFacts): ClaudeDraft {
  const { isSuccess, failure, text, output, usage, total, costUsd, model, facts } = end;
  const way = failure && ways[failure.kind];
  const { subtype = isSuccess ? "success" : "error_during_execution", ...rest } = way ?? {};
  const words = isSuccess ? (text ?? "") : (failure?.message ?? "the run failed");
  return {
    type: "result",
    subtype,
    is_error: !isSuccess,
    duration_ms: end.durationMs,
    duration_api_ms: 0,
    num_turns: end.messages,
    ...(subtype === "success" ? { result: words } : { errors: [words] }),
    ...(output !== undefined && { structured_output: output }),
    stop_reason: isSuccess ? "end_turn" : null,
    ...rest,
    ...(costUsd !== undefined && { total_cost_usd: costUsd }),
    ...(usage !== undefined && { usage: usageOf(usage) }),
    ...(total !== undefined && { modelUsage: { [model]: modelUsageOf(total, costUsd) } }),
    permission_denials: end.denials,
    "harness-stream": facts,
  };
}

function modelUsageOf(counts: TokenCounts, costUsd: number | undefined): ClaudeModelUsage {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = counts;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cacheReadTokens !== undefined && { cacheReadInputTokens: cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheCreationInputTokens: cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { thinkingTokens: reasoningTokens }),
    ...(costUsd !== undefined && { costUSD: costUsd }),
  };
}
