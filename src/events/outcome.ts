import type { ExitReason, Failure, FailureKind } from "./failure.js";
import { classifyFailure } from "./failure-kind.js";
import { toInstant } from "./retry-at.js";
import type { Ended, Outcome, ReportedFailure, RunState } from "./run-state.js";

/** What the agent said about its failure. */
export interface SaidWords {
  /** The agent's own words about what went wrong, if there are any. */
  words?: string | undefined;
  /** The last error that it reported, if it did nothing after it. */
  lastError?: string | undefined;
}

/**
 * The published rule that decides how a run ended, used everywhere. A run failed if any of these holds: it could not start;
 * harness ended it (cancel, timeout, stall) or was interrupted with it; a fatal error came and no success after it; the agent's
 * own record says so; it was killed or its exit code is not 0; the terminal record that the agent always sends is missing or
 * was not the last. Exit code 0 alone is never success.
 */
export function decideOutcome(run: RunState, ended: Ended, said: SaidWords = {}): Outcome {
  const { words } = said;
  if (ended.outcome !== undefined) return ended.outcome;
  if (ended.startFailure !== undefined) return failed("failed", ended.startFailure);
  const byUs = endedByUs(ended);
  if (byUs !== undefined) return failed(byUs, { kind: byUs, message: ended.detail ?? endingSentences[byUs] });
  const unexplained = ended.stopped ? undefined : exitFailure(ended, said);
  if (run.failure !== undefined) {
    const reported = describe(run.failure);
    // A program that is killed may still say that it was interrupted. That is what the signal did, not the reason.
    const isEcho = reported.kind === "cancelled" && unexplained?.kind === "killed";
    return failed("failed", isEcho ? unexplained : reported);
  }
  if (run.terminal === "failure")
    return failed("failed", { kind: kindOfWords(words), message: words ?? "the agent reported a failure" });
  if (unexplained !== undefined) return failed("failed", unexplained);
  if (run.terminal === undefined && run.needsTerminal) {
    return failed("failed", { kind: kindOfWords(words), message: missingTerminal(words) });
  }
  return { isSuccess: true, reason: "completed" };
}

/** The reason if the agent did not end the run itself: harness did, or was interrupted together with it. */
export function endedByUs(ended: Ended): keyof typeof endingSentences | undefined {
  const { reason } = ended;
  return reason === undefined || reason === "completed" || reason === "failed" ? undefined : reason;
}

/** True if the process died in a way that needs an `error` event of its own. */
export function isAbnormalExit(ended: Ended): boolean {
  return !ended.stopped && (hasSignal(ended) || ended.exitCode !== 0);
}

function exitFailure(ended: Ended, said: SaidWords): Failure | undefined {
  if (!isAbnormalExit(ended)) return undefined;
  const { words } = said;
  const signal = hasSignal(ended) ? ended.signal : signalOfExitCode(ended.exitCode);
  if (signal !== undefined)
    return { kind: signal === "SIGINT" ? "cancelled" : "killed", message: describeSignal(ended, said) };
  const kind = kindOfWords(words);
  return { kind: kind === "unknown" ? "crash" : kind, message: words ?? describeExit(ended) };
}

/**
 * A program that is killed from outside does not know why. Notices that it printed before are not the reason. Only an error
 * after which it did nothing may be. A program that kills itself (a panic, a segmentation fault) or catches the signal may
 * have said why.
 */
function describeSignal(ended: Ended, { words, lastError }: SaidWords): string {
  const fact = describeExit(ended);
  const isSurprised = hasSignal(ended) && !ownSignals.has(ended.signal);
  const reason = isSurprised ? lastError : words;
  return reason === undefined ? fact : `${fact}: ${reason}`;
}

const ownSignals: ReadonlySet<string> = new Set([
  "SIGABRT",
  "SIGBUS",
  "SIGFPE",
  "SIGILL",
  "SIGSEGV",
  "SIGSYS",
  "SIGTRAP",
]);

/** For people: `exited with code 1`, `killed by SIGTERM (exit code 143)`, `killed by SIGKILL`. */
export function describeExit(ended: Ended): string {
  if (hasSignal(ended)) return `killed by ${ended.signal}`;
  if (ended.exitCode === null) return ended.detail ?? "ended without an exit code";
  const signal = signalOfExitCode(ended.exitCode);
  if (signal !== undefined) return `killed by ${signal} (exit code ${ended.exitCode})`;
  return `exited with code ${ended.exitCode}`;
}

function describe(failure: ReportedFailure): Failure {
  const kind =
    failure.kind ?? classifyFailure({ code: failure.code, status: failure.status, text: failure.message });
  const retryAt = toInstant(failure.retryAt);
  return { kind, message: failure.message, ...(retryAt !== undefined && { retryAt }) };
}

function kindOfWords(words: string | undefined): FailureKind {
  return words === undefined ? "unknown" : classifyFailure({ text: words });
}

function missingTerminal(words: string | undefined): string {
  const fact = "the stream ended without the agent's final record";
  return words === undefined ? fact : `${fact}: ${words}`;
}

function hasSignal(ended: Ended): ended is Ended & { signal: string } {
  return ended.signal !== undefined && ended.signal !== null && ended.signal !== "";
}

/** Programs that catch a signal exit with 128 + its number. */
function signalOfExitCode(exitCode: number | null): string | undefined {
  return exitCode === null ? undefined : signalsByExitCode[exitCode];
}

const signalsByExitCode: Record<number, string> = {
  129: "SIGHUP",
  130: "SIGINT",
  131: "SIGQUIT",
  134: "SIGABRT",
  137: "SIGKILL",
  139: "SIGSEGV",
  143: "SIGTERM",
};

function failed(reason: ExitReason, failure: Failure): Outcome {
  return { isSuccess: false, reason, failure };
}

/** Why a run ended if its agent did not end it. */
export const endingSentences = {
  cancelled: "the run was cancelled",
  timed_out: "the run took longer than its time limit",
  stalled: "the agent printed nothing for longer than its idle limit",
  interrupted: "the run was interrupted: its recording stops before it ended",
};
