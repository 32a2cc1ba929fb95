import * as v from "valibot";

const tokenCount = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Token classes. A class that the agent does not report is absent; a reported 0 is 0. */
export const tokenClasses = {
  /** Sent, and neither read from nor written to a cache. */
  inputTokens: v.exactOptional(tokenCount),
  cacheReadTokens: v.exactOptional(tokenCount),
  cacheWriteTokens: v.exactOptional(tokenCount),
  /** Everything generated, reasoning included. */
  outputTokens: v.exactOptional(tokenCount),
  /** The part of the output that was reasoning. */
  reasoningTokens: v.exactOptional(tokenCount),
  /** input + cacheRead + cacheWrite + output. */
  totalTokens: v.exactOptional(tokenCount),
};

export const TokenCounts = v.strictObject(tokenClasses);
export type TokenCounts = v.InferOutput<typeof TokenCounts>;

/** What the numbers cover: one request to the model, this run, or the whole (resumed) session. */
export const UsageScope = v.picklist(["step", "run", "session"]);
export type UsageScope = v.InferOutput<typeof UsageScope>;
