/** A shared timer that wakes all who wait together. It runs only while somebody waits. */
export interface Pulse {
  /** Resolves at the next beat, or as soon as the signal aborts. */
  next(signal?: AbortSignal): Promise<void>;
}

export function createPulse(milliseconds: number): Pulse {
  let waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;

  function beat(): void {
    clearTimeout(timer);
    timer = undefined;
    const woken = waiting;
    waiting = new Set();
    for (const wake of woken) wake();
  }

  return {
    next(signal) {
      if (signal?.aborted) return Promise.resolve();
      timer ??= setTimeout(beat, milliseconds).unref();
      return new Promise((resolve) => {
        const wake = (): void => {
          signal?.removeEventListener("abort", wake);
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
        signal?.addEventListener("abort", wake, { once: true });
      });
    },
  };
}
