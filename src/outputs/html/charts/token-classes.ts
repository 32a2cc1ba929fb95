import type { TokenCounts } from "../../../events/usage.js";

/** A class of tokens as it is drawn; reasoning is part of the output and is drawn apart from it. */
export interface TokenClass {
  id: "input" | "cache-write" | "cache-read" | "output" | "reasoning";
  label: string;
  /** Undefined when the agent does not report it. */
  count(usage: TokenCounts): number | undefined;
}

export const sentClasses: readonly TokenClass[] = [
  { id: "cache-read", label: "cache read", count: (usage) => usage.cacheReadTokens },
  { id: "cache-write", label: "cache write", count: (usage) => usage.cacheWriteTokens },
  { id: "input", label: "input", count: (usage) => usage.inputTokens },
];

export const generatedClasses: readonly TokenClass[] = [
  { id: "output", label: "output", count: outputWithoutReasoning },
  { id: "reasoning", label: "reasoning", count: (usage) => usage.reasoningTokens },
];

function outputWithoutReasoning({ outputTokens, reasoningTokens }: TokenCounts): number | undefined {
  return outputTokens === undefined ? undefined : Math.max(0, outputTokens - (reasoningTokens ?? 0));
}
