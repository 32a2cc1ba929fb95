import type { HarnessEvent } from "../../events/event.js";

/** The turns of the prompts that were sent from here. Others may send prompts to the same session. */
export interface OwnTurns {
  /** A prompt is on its way. Resolves when the session has taken it, and rejects if it refuses. */
  sent(taken: Promise<{ turnId: string }>): Promise<void>;
  /** Resolves when it is known which turns are ours, of those that have begun. */
  known(): Promise<unknown>;
  has(turnId: string): boolean;
  note(events: readonly HarnessEvent[]): void;
  /** Resolves when at most so many of them have not ended, or no more will. */
  untilWaiting(atMost: number): Promise<void>;
  /** No more events come. */
  close(): void;
  readonly hasFailed: boolean;
  readonly areOver: boolean;
}

export function createOwnTurns(): OwnTurns {
  const own = new Set<string>();
  const ended = new Set<string>();
  const failed = new Set<string>();
  let pending: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let waiting: { atMost: number; go: () => void }[] = [];
  const open = (): string[] => [...own].filter((turnId) => !ended.has(turnId));

  function wake(): void {
    const ready = waiting.filter(({ atMost }) => isClosed || open().length <= atMost);
    waiting = waiting.filter((each) => !ready.includes(each));
    for (const { go } of ready) go();
  }

  return {
    async sent(taken) {
      // A turn can begin before its sender hears of it.
      const noted = taken.then(({ turnId }) => void own.add(turnId));
      pending = noted.catch(() => undefined);
      await noted;
    },
    known: () => pending,
    has: (turnId) => own.has(turnId),
    note(events) {
      for (const event of events) {
        if (event.type !== "turn_end") continue;
        ended.add(event.turnId);
        if (!event.isSuccess) failed.add(event.turnId);
      }
      wake();
    },
    untilWaiting: (atMost) =>
      new Promise((go) => {
        waiting.push({ atMost, go });
        wake();
      }),
    close() {
      isClosed = true;
      wake();
    },
    get hasFailed() {
      return [...failed].some((turnId) => own.has(turnId));
    },
    get areOver() {
      return open().length === 0;
    },
  };
}
