import { isHangupIgnored } from "./hangup.js";

/** The signals that have arrived since. */
export interface SignalWatch {
  /** The first one, if there was one. */
  readonly signal: NodeJS.Signals | undefined;
  /** How many there were. */
  readonly count: number;
  stop(): void;
}

/** The signals that ask us to end. */
export function endingSignals(): NodeJS.Signals[] {
  return isHangupIgnored() ? ["SIGINT", "SIGTERM"] : ["SIGINT", "SIGTERM", "SIGHUP"];
}

/**
 * Calls `cancel` for every signal that asks us to end. The first cancels a run, the second kills it. `only`: those that count, if
 * not all of them do.
 */
export function cancelOnSignals(cancel: () => void, only?: readonly NodeJS.Signals[]): SignalWatch {
  const signals = endingSignals().filter((signal) => only?.includes(signal) ?? true);
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
