/** Which signal asked for the end, and how to stop listening. */
export interface SignalWatch {
  readonly signal: NodeJS.Signals | undefined;
  stop(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first signal cancels the run, the second kills it at once (and `hurry` is called too). */
export function cancelOnSignals(cancel: () => void, hurry?: () => void): SignalWatch {
  let first: NodeJS.Signals | undefined;
  const listen = (signal: NodeJS.Signals): void => {
    if (first !== undefined) hurry?.();
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
