import type { QueueConnection } from "./connection.js";
import type { Slots } from "./slots.js";

export interface StopOptions {
  connection: QueueConnection;
  slots: Slots;
  /** Gives back what runs. */
  giveBack(): void;
  /** Closes what uses the connection, once nothing runs. */
  close(): Promise<void>;
}

/** How long a server that answers may take for what is left to do after the runs. */
const longestReturnMs = 15_000;
/** A server that does not answer for this long is not waited for. It finds out by itself that this worker is gone. */
const longestAwayMs = 2000;
/** After the connection was closed. */
const longestCloseMs = 5000;
const lookMs = 100;

/**
 * Makes the `stop` of a worker. It takes no more cells, and those that have not ended after `drainMs` go back. Called again: they go back at
 * once. Resolves to false if the server was away, so that runs under way could not be given back.
 */
export function createStop({ connection, slots, giveBack, close }: StopOptions) {
  let stopping: Promise<boolean> | undefined;
  let isReturning = false;
  const returnNow = () => {
    isReturning = true;
    giveBack();
  };

  async function stop(drainMs: number): Promise<boolean> {
    const had = slots.running;
    let isCutOff = false;
    let onCutOff: () => void = () => {};
    const cutOff = new Promise<void>((resolve) => {
      onCutOff = () => {
        if (isCutOff) return;
        isCutOff = true;
        connection.close();
        setTimeout(resolve, longestCloseMs);
      };
    });
    let awayMs = 0;
    const looking = setInterval(() => {
      awayMs = connection.isUp() ? 0 : awayMs + lookMs;
      if (awayMs >= longestAwayMs && (isReturning || slots.running === 0)) onCutOff();
    }, lookMs);
    const draining = setTimeout(returnNow, drainMs);
    const limit = setTimeout(onCutOff, drainMs + longestReturnMs);
    const ending = slots.close().then(close);
    await Promise.race([ending.catch(() => {}), cutOff]);
    clearInterval(looking);
    for (const timer of [draining, limit]) clearTimeout(timer);
    connection.close();
    return !isCutOff || had === 0;
  }

  return async ({ drainMs = 0 }: { drainMs?: number | undefined } = {}): Promise<boolean> => {
    if (stopping !== undefined) returnNow();
    stopping ??= stop(drainMs);
    return stopping;
  };
}
