import type { FailureKind } from "../events/failure.js";
import { outcomeWords } from "./outcomes.js";
import type { RunOutcome } from "./run-record.js";

/** What each kind of failure means, in words. docs/outcomes.md has the same. */
export const failureMeanings: Record<FailureKind, string> = {
  not_installed: "The program was not found",
  config: "A wrong flag, file, provider or directory, or a session to resume that does not exist",
  auth: "No key, a wrong key, not signed in, or not allowed",
  rate_limit: "Too many requests; the limit passes by itself",
  quota: "Credits, plan or billing",
  provider: "The provider of the model failed or is overloaded",
  network: "The connection was refused or cut, or the host was not found",
  model_not_found: "The model does not exist, or you have no access to it",
  context_overflow: "More input than the model accepts",
  output_limit: "The answer was longer than allowed",
  refusal: "The model or its provider declined",
  schema: "The agent finished, but its answer does not fit the schema that the task asked for",
  max_turns: "The limit of turns that you set was reached",
  budget: "The budget that you set was spent",
  permission: "The run ended because something was not permitted",
  cancelled: "Cancelled by you or by SIGINT, or reported as aborted by the agent",
  timed_out: "Longer than the time limit (--timeout)",
  stalled: "Silent for longer than the idle limit (--idle-timeout)",
  interrupted: "harness was killed, and the run with it",
  killed: "Killed by a signal that harness did not send",
  crash: "It exited without an explanation",
  unknown: "None of the known reasons",
};

/** The meaning of a kind. A recording may come from a later version, with a kind that is not known here. */
export function explainFailure(kind: string): string | undefined {
  return Object.hasOwn(failureMeanings, kind) ? failureMeanings[kind as FailureKind] : undefined;
}

/** `Failed: no key, a wrong key, not signed in, or not allowed`. */
export function titleOfFailure(outcome: RunOutcome, kind: string | undefined): string {
  const meaning = kind === undefined ? undefined : explainFailure(kind);
  const words = outcomeWords[outcome];
  return meaning === undefined ? words : `${words}: ${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}`;
}
