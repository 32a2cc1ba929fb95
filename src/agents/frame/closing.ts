import type { Failure } from "../../events/failure.js";
import {
  decideOutcome,
  describeExit,
  endedByUs,
  isAbnormalExit,
  type SaidWords,
} from "../../events/outcome.js";
import type { Ended, Outcome, RunState } from "../../events/run-state.js";
import { isSoundDuration } from "../../events/sound-numbers.js";
import type { JsonValue } from "../../text/json.js";
import type { Draft, TranslatorOptions } from "../contract.js";
import type { TranslatedAgent } from "./frame.js";
import { withNextStep } from "./next-step.js";
import { unfinishedWarning } from "./unfinished.js";

export interface Closing {
  agent: TranslatedAgent;
  run: RunState;
  ended: Ended;
  said: SaidWords;
  /** When a message was printed. Undefined if the times are not those of the run. */
  timeOf(message: string): string | undefined;
  /** How long the process was observed, in milliseconds. */
  duration: number | undefined;
  /** The run's cost, when the agent reports none and it can be estimated. */
  estimatedUsd?: number | undefined;
  /** What the agent started and did not wait for, described for people. */
  unfinished?: readonly string[];
  /** Whether the answer fits the schema that was asked for. */
  checkOutput?: TranslatorOptions["checkOutput"];
}

/** The last events of every run: a terminal error if it failed, the run's usage, `result`, `exited`. */
export function closingDrafts(closing: Closing): Draft[] {
  const { run, ended } = closing;
  const { output, ...decided } = withOutput(decideOutcome(run, ended, closing.said), closing);
  if (ended.outcome !== undefined) return closingOfKnownOutcome(ended, decided);
  const outcome = { ...decided, failure: explained(decided.failure, closing) };
  const drafts: Draft[] = [...terminalError(closing, outcome.failure)];
  if (outcome.isSuccess && closing.unfinished?.length)
    drafts.push(unfinishedWarning(closing.agent.name, closing.unfinished));
  const { costUsd, costSource } = costOf(closing);
  if (run.usage !== undefined)
    drafts.push({ type: "usage", ...run.usage, costUsd: run.usage.costUsd ?? costUsd, costSource });
  drafts.push({
    type: "result",
    line: run.terminalLine,
    isSuccess: outcome.isSuccess,
    text: run.text,
    output,
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

/** A run that was asked for structured output succeeds only if its answer fits the schema. */
function withOutput(
  outcome: Outcome,
  { run, checkOutput }: Closing,
): Outcome & { output?: JsonValue | undefined } {
  if (checkOutput === undefined || !outcome.isSuccess) return outcome;
  const checked = checkOutput({ text: run.text, value: run.output });
  if ("output" in checked) return { ...outcome, output: checked.output };
  const message = `the answer does not fit the schema: ${checked.problem}`;
  return { isSuccess: false, reason: "failed", failure: { kind: "schema", message } };
}

export function explained(
  failure: Failure | undefined,
  { agent, ended, timeOf }: Pick<Closing, "agent" | "ended" | "timeOf">,
): Failure | undefined {
  return failure && withNextStep(failure, { agent, ended, saidAt: timeOf(failure.message) });
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
export function terminalError(
  closing: Pick<Closing, "agent" | "run" | "ended" | "said">,
  failure: Failure | undefined,
): Draft[] {
  const { run, ended } = closing;
  const { words } = closing.said;
  if (failure === undefined) return [];
  if (ended.startFailure !== undefined)
    return [{ type: "error", message: failure.message, code: failure.kind }];
  if (endedByUs(ended) !== undefined)
    return [{ type: "error", message: failure.message, code: failure.kind }];
  if (isAbnormalExit(ended)) {
    const fact = describeExit(ended).replace(/^killed/, "was killed");
    const message = [`${closing.agent.name} ${fact}`, words ?? run.failure?.message];
    return [{ type: "error", message: message.filter(Boolean).join(": "), code: "process_error" }];
  }
  if (run.failure?.isReported) return [];
  return [{ type: "error", message: failure.message, code: run.failure?.code, line: run.terminalLine }];
}
