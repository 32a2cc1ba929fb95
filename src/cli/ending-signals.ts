import { isHangupIgnored } from "./hangup.js";

/** Which signal asked for the end, and how to stop listening. */
export interface SignalWatch {
  /** The first one. */
  readonly signal: NodeJS.Signals | undefined;
  /** How many there were. */
  readonly count: number;
  stop(): void;
}

/** The signals that ask for the end. */
export function endingSignals(): NodeJS.Signals[] {
  return isHangupIgnored() ? ["SIGINT", "SIGTERM"] : ["SIGINT", "SIGTERM", "SIGHUP"];
}

/** The first signal cancels the run, the second kills it at once. */
export function cancelOnSignals(cancel: () => void): SignalWatch {
  const signals = endingSignals();
  let first: NodeJS.Signals | undefined;
  let count = 0;
  const listen = (signal: NodeJS.Signals): void => {
    first ??= signal;
    count += 1;
    cancel();
  };
  for (const signal of signals) process.on(signal, listen);
  return {
    get signal() {
      return first;
    },
    get count() {
      return count;
    },
    stop() {
      for (const signal of signals) process.off(signal, listen);
    },
  };
}
