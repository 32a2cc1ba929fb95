import type { TokenCounts } from "../../events/usage.js";

/** Counts as an agent reports them; undefined is "not reported". */
export interface ReportedTokens {
  input?: number | undefined;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
  output?: number | undefined;
  reasoning?: number | undefined;
}

/** The token classes of an agent whose input count excludes cached tokens. */
export function countTokens(reported: ReportedTokens): TokenCounts {
  const { input, cacheRead, cacheWrite, output, reasoning } = reported;
  const counts: TokenCounts = {};
  if (input !== undefined) counts.inputTokens = input;
  if (cacheRead !== undefined) counts.cacheReadTokens = cacheRead;
  if (cacheWrite !== undefined) counts.cacheWriteTokens = cacheWrite;
  if (output !== undefined) counts.outputTokens = output;
  if (reasoning !== undefined) counts.reasoningTokens = reasoning;
  const isReported =
    input !== undefined || cacheRead !== undefined || cacheWrite !== undefined || output !== undefined;
  if (isReported) counts.totalTokens = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) + (output ?? 0);
  return counts;
}

/** The token classes of an agent whose input count includes cache reads and cache writes. */
export function countTokensOfWholeInput(reported: ReportedTokens): TokenCounts {
  const { input, cacheRead, cacheWrite } = reported;
  if (input === undefined) return countTokens(reported);
  return countTokens({ ...reported, input: Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)) });
}

/** Adds up steps. The sum has a class if any step reports it. */
export function addTokens(a: ReportedTokens, b: ReportedTokens): ReportedTokens {
  return {
    input: add(a.input, b.input),
    cacheRead: add(a.cacheRead, b.cacheRead),
    cacheWrite: add(a.cacheWrite, b.cacheWrite),
    output: add(a.output, b.output),
    reasoning: add(a.reasoning, b.reasoning),
  };
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
