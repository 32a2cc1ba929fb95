import type { EventOf } from "../events/event.js";
import type { RunCheck } from "../events/run-check.js";

/** Exit codes of the command, as documented. */
export const exitCodes = {
  success: 0,
  runFailed: 1,
  usage: 2,
  /** The run succeeded, and the command of `--check` failed. */
  checkFailed: 3,
  /** The run succeeded, but its recording, the output file or standard output could not be written. */
  notWritten: 74,
  timedOut: 124,
  notInstalled: 127,
  hungUp: 129,
  interrupted: 130,
  /** The reader of the output closed it, which cancelled the run. */
  outputClosed: 141,
  terminated: 143,
} as const;

/** What else decides about the exit code of a run. */
export interface RunEnding {
  /** What made us cancel it; SIGPIPE means that the reader is gone. */
  signal?: NodeJS.Signals | undefined;
  check?: RunCheck | undefined;
}

/** The exit code for how a run ended. */
export function exitCodeOf(
  result: EventOf<"result">,
  exited: EventOf<"exited">,
  { signal, check }: RunEnding = {},
): number {
  if (result.isSuccess && check?.isCancelled) return exitCodeOfSignal(signal);
  if (result.isSuccess && check !== undefined && !check.isSuccess) return exitCodes.checkFailed;
  if (result.isSuccess) return exitCodes.success;
  if (exited.reason === "timed_out" || exited.reason === "stalled") return exitCodes.timedOut;
  if (exited.reason === "cancelled") return exitCodeOfSignal(signal);
  const hasStarted = exited.exitCode !== null || exited.signal !== undefined;
  if (hasStarted) return exitCodes.runFailed;
  return result.failure?.kind === "not_installed" ? exitCodes.notInstalled : exitCodes.usage;
}

const codesOfSignals: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: exitCodes.hungUp,
  SIGPIPE: exitCodes.outputClosed,
  SIGTERM: exitCodes.terminated,
};

/** The exit code that a shell has for a death by this signal. Any other cancellation counts as an interrupt. */
export function exitCodeOfSignal(signal: NodeJS.Signals | undefined): number {
  return (signal && codesOfSignals[signal]) ?? exitCodes.interrupted;
}
