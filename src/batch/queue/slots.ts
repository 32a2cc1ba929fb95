/** What can be asked to take no more. */
export interface Pausable {
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): Promise<void>;
}

/**
 * The places of a worker, shared by its queues. BullMQ limits each queue for itself, so a worker that is full pauses all of them. A job
 * that arrives nevertheless gets no place and must go back.
 */
export interface Slots {
  readonly running: number;
  take(): boolean;
  release(): void;
  /** Nothing is taken any more. Resolves when nothing runs. */
  close(): Promise<void>;
}

export function createSlots(count: number, queues: readonly Pausable[]): Slots {
  let running = 0;
  let isClosed = false;
  let onEmpty: () => void = () => {};
  const pauseAll = () => {
    for (const queue of queues) queue.pause(true).catch(() => {});
  };
  return {
    get running() {
      return running;
    },
    take() {
      if (isClosed || running >= count) {
        pauseAll();
        return false;
      }
      running++;
      // One queue is limited by BullMQ itself.
      if (running === count && queues.length > 1) pauseAll();
      return true;
    },
    release() {
      running--;
      if (running === 0) onEmpty();
      if (!isClosed) for (const queue of queues) queue.resume().catch(() => {});
    },
    async close() {
      isClosed = true;
      pauseAll();
      if (running === 0) return;
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
    },
  };
}
