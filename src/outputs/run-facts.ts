import type { EventOf, HarnessEvent } from "../events/event.js";
import type { ExitReason, Failure } from "../events/failure.js";
import type { TokenCounts } from "../events/usage.js";
import { tokenCountsOf } from "../story/spending.js";

/** What the last item of a stream says about the run. It is much less than a summary, so that a long run takes no memory. */
export interface RunFacts {
  /** The run's own numbers. Those of steps, turns and of a whole resumed session are not part of it. */
  usage?: TokenCounts;
  costUsd?: number;
  costSource?: "estimated";
  model?: string;
  result?: EventOf<"result">;
  exited?: EventOf<"exited">;
  /** The stream is that of one turn of a live session, which begins with `turn` and ends with `turn_end`. */
  isTurn?: boolean;
  turnEnd?: EventOf<"turn_end">;
}

/** Call it with every event. */
export function noteFact(facts: RunFacts, event: HarnessEvent): void {
  facts.isTurn ??= event.type === "turn";
  switch (event.type) {
    case "session":
      if (event.model !== undefined) facts.model = event.model;
      break;
    case "usage":
      if (event.scope === (facts.isTurn ? "turn" : "run")) facts.usage = tokenCountsOf(event);
      if (event.scope !== "step" && (facts.isTurn || event.scope !== "turn")) noteCost(facts, event);
      break;
    case "turn_end":
      facts.turnEnd = event;
      if (facts.isTurn) noteCost(facts, event);
      break;
    case "result":
      facts.result = event;
      noteCost(facts, event);
      break;
    case "exited":
      facts.exited = event;
  }
}

function noteCost(facts: RunFacts, { costUsd, costSource }: Pick<RunFacts, "costUsd" | "costSource">): void {
  if (costUsd === undefined) return;
  facts.costUsd = costUsd;
  if (costSource === undefined) delete facts.costSource;
  else facts.costSource = costSource;
}

/** How a run ended. */
export interface KnownOutcome {
  isSuccess: boolean;
  isCancelled: boolean;
  reason: ExitReason;
  exitCode?: number | null;
  signal?: string;
  failure?: Failure;
}

/** Undefined if the stream stops before the run's end. */
export function outcomeOf(facts: RunFacts): KnownOutcome | undefined {
  const { result, exited } = facts;
  const ended = endOf(facts);
  if (ended === undefined && exited === undefined) return undefined;
  const isSuccess = ended?.isSuccess ?? exited?.reason === "completed";
  const reason = exited?.reason ?? (result === undefined ? turnReason(facts) : undefined);
  const failure = ended?.failure;
  return {
    isSuccess,
    isCancelled: !isSuccess && (reason === "cancelled" || failure?.kind === "cancelled"),
    reason: reason ?? (isSuccess ? "completed" : "failed"),
    ...(exited !== undefined && { exitCode: exited.exitCode }),
    ...(exited?.signal !== undefined && { signal: exited.signal }),
    ...(failure !== undefined && { failure }),
  };
}

/** What ends the stream: the run's result, or the end of its only turn. */
export function endOf({ result, isTurn, turnEnd }: RunFacts) {
  return result ?? (isTurn ? turnEnd : undefined);
}

function turnReason({ turnEnd }: RunFacts): ExitReason | undefined {
  return turnEnd?.reason === "interrupted" ? "cancelled" : turnEnd?.reason;
}

/** The id of a stream, from its first event: a session has one for each turn that is read alone. */
export function streamIdOf(event: HarnessEvent): string {
  return event.type === "turn" ? `${event.runId}-${event.turnId}` : event.runId;
}

/** Why a stream stops before the end of its run, if nobody knows better. */
export const cutSentence = "the stream ended before the run did";

/** Everything that was sent to the model, cached or not. Undefined if the agent reports none of it. */
export function sentTokensOf(usage: TokenCounts): number | undefined {
  const parts = [usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens];
  const known = parts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}
