/** Which signal asked for the end, and how to stop listening. */
export interface SignalWatch {
  readonly signal: NodeJS.Signals | undefined;
  stop(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first signal cancels the run, the second kills it at once. */
export function cancelOnSignals(cancel: () => void): SignalWatch {
  let first: NodeJS.Signals | undefined;
  const listen = (signal: NodeJS.Signals): void => {
    first ??= signal;
    cancel();
  };
  for (const signal of signals) process.on(signal, listen);
  return {
    get signal() {
      return first;
    },
    stop() {
      for (const signal of signals) process.off(signal, listen);
    },
  };
}
