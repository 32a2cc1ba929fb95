import { decideOutcome, describeExit, endedByUs, isAbnormalExit } from "../../events/outcome.js";
import type { Ended, Outcome, RunState } from "../../events/run-state.js";
import { isSoundDuration } from "../../events/sound-numbers.js";
import type { Draft } from "../contract.js";
import { unfinishedWarning } from "./unfinished.js";

export interface Closing {
  agentName: string;
  run: RunState;
  ended: Ended;
  /** The agent's own words about what went wrong, if there are any. */
  words: string | undefined;
  /** How long the process was observed, in milliseconds. */
  duration: number | undefined;
  /** The run's cost, when the agent reports none and it can be estimated. */
  estimatedUsd?: number | undefined;
  /** What the agent started and did not wait for, described for people. */
  unfinished?: readonly string[];
}

/** The last events of every run: a terminal error if it failed, the run's usage, `result`, `exited`. */
export function closingDrafts(closing: Closing): Draft[] {
  const { run, ended } = closing;
  const outcome = decideOutcome(run, ended, closing.words);
  if (ended.outcome !== undefined) return closingOfKnownOutcome(ended, outcome);
  const drafts: Draft[] = [...terminalError(closing, outcome)];
  if (outcome.isSuccess && closing.unfinished?.length)
    drafts.push(unfinishedWarning(closing.agentName, closing.unfinished));
  const { costUsd, costSource } = costOf(closing);
  if (run.usage !== undefined)
    drafts.push({ type: "usage", ...run.usage, costUsd: run.usage.costUsd ?? costUsd, costSource });
  drafts.push({
    type: "result",
    line: run.terminalLine,
    isSuccess: outcome.isSuccess,
    text: run.text,
    durationMs: durationOf(closing),
    costUsd,
    costSource,
    failure: outcome.failure,
  });
  drafts.push({
    type: "exited",
    exitCode: ended.exitCode,
    signal: ended.signal ?? undefined,
    reason: outcome.reason,
  });
  return drafts;
}

/** The end of a run whose last lines are missing, and with them its answer, its tokens and its cost. */
function closingOfKnownOutcome(ended: Ended, { isSuccess, reason, failure }: Outcome): Draft[] {
  const { exitCode, signal } = ended;
  return [
    ...(failure === undefined
      ? []
      : [{ type: "error" as const, message: failure.message, code: failure.kind }]),
    { type: "result", isSuccess, failure },
    { type: "exited", exitCode, signal: signal ?? undefined, reason },
  ];
}

/** The duration that the agent reports, if it is valid, else the observed one. */
function durationOf({ run, duration }: Closing): number | undefined {
  return isSoundDuration(run.durationMs) ? run.durationMs : duration;
}

function costOf({ run, estimatedUsd }: Closing): { costUsd?: number | undefined; costSource?: "estimated" } {
  if (run.costUsd !== undefined || estimatedUsd === undefined) return { costUsd: run.costUsd };
  return { costUsd: estimatedUsd, costSource: "estimated" };
}

/**
 * A death by signal or a non-zero exit is always an `error`, with the agent's own words. Any other failure is an
 * `error` too, unless the stream has already reported it.
 */
function terminalError(closing: Closing, outcome: Outcome): Draft[] {
  const { run, ended, words } = closing;
  const failure = outcome.failure;
  if (failure === undefined) return [];
  if (ended.startFailure !== undefined)
    return [{ type: "error", message: failure.message, code: failure.kind }];
  if (endedByUs(ended) !== undefined)
    return [{ type: "error", message: failure.message, code: failure.kind }];
  if (isAbnormalExit(ended)) {
    const fact = `${closing.agentName} ${hasSignal(ended) ? "was " : ""}${describeExit(ended)}`;
    return [{ type: "error", message: joined(fact, words ?? run.failure?.message), code: "process_error" }];
  }
  if (run.failure?.isReported) return [];
  return [{ type: "error", message: failure.message, code: run.failure?.code, line: run.terminalLine }];
}

function joined(fact: string, words: string | undefined): string {
  return words === undefined ? fact : `${fact}: ${words}`;
}

function hasSignal(ended: Ended): boolean {
  return ended.signal !== undefined && ended.signal !== null && ended.signal !== "";
}
