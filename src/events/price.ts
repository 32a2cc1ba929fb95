import type { TokenCounts } from "./usage.js";

/** The price of a million tokens of each class, in US dollars. */
export interface Price {
  input: number;
  output: number;
  /** If absent, tokens read from a cache cost as much as other input. */
  cacheRead?: number;
  /** If absent, tokens written to a cache cost as much as other input. */
  cacheWrite?: number;
  /** When the price was looked up, `2026-11-13`. */
  date?: string;
  /** Where it was looked up: a program and its version, or a page. */
  source?: string;
}

/** A price, and the id of the model that it was found for. */
export interface ModelPrice extends Price {
  model: string;
}

/** The cost of these tokens in US dollars. Undefined if the input or output tokens were not reported. */
export function costOfTokens(tokens: TokenCounts, price: Price): number | undefined {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = tokens;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const millionths =
    inputTokens * price.input +
    cacheReadTokens * (price.cacheRead ?? price.input) +
    cacheWriteTokens * (price.cacheWrite ?? price.input) +
    outputTokens * price.output;
  // Prices have a few decimals; binary fractions add noise, which is rounded away.
  return Number((millionths / 1e6).toFixed(12));
}
