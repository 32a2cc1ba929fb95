import type { TokenCounts } from "./usage.js";

/** Every token class, for those who go through them all. A list of its own: the schemas are not loaded by a run. */
export const tokenClassNames = [
  "inputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "outputTokens",
  "reasoningTokens",
  "totalTokens",
] as const satisfies readonly (keyof TokenCounts)[];
