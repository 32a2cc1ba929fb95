import * as v from "valibot";

const tokenCount = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Token classes. A class that the agent does not report is absent; a reported 0 stays 0. */
export const tokenClasses = {
  /** Sent without a cache: neither read from one nor written to one. */
  inputTokens: v.exactOptional(tokenCount),
  cacheReadTokens: v.exactOptional(tokenCount),
  cacheWriteTokens: v.exactOptional(tokenCount),
  /** All generated tokens, including reasoning. */
  outputTokens: v.exactOptional(tokenCount),
  /** The part of the output that was reasoning. */
  reasoningTokens: v.exactOptional(tokenCount),
  /** input + cacheRead + cacheWrite + output. */
  totalTokens: v.exactOptional(tokenCount),
};

export const TokenCounts = v.strictObject(tokenClasses);
/** Tokens by class. A class that the agent does not report is absent. */
export type TokenCounts = v.InferOutput<typeof TokenCounts>;

/** What the numbers cover: one request to the model, one turn of a live session, this run, or the whole (resumed) session. */
export const UsageScope = v.picklist(["step", "turn", "run", "session"]);
export type UsageScope = v.InferOutput<typeof UsageScope>;
