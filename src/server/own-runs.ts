import { run } from "../live/run.js";
import type { Run, Task } from "../runs/task.js";

/** The runs that were started from the page. */
export interface OwnRuns {
  /** Returns the run's id. Throws a HarnessError when the task is invalid. */
  start(task: Task): string;
  has(id: string): boolean;
  /** False when no such run is under way. */
  cancel(id: string): boolean;
  /** Cancels all of them and waits until they have ended. */
  close(): Promise<void>;
}

export function createOwnRuns(sessionsDirectory: string): OwnRuns {
  const running = new Map<string, Run>();
  return {
    start(task) {
      const started = run({ ...task, sessionsDirectory });
      running.set(started.runId, started);
      void started.result.finally(() => running.delete(started.runId));
      return started.runId;
    },
    has: (id) => running.has(id),
    cancel(id) {
      running.get(id)?.cancel();
      return running.has(id);
    },
    async close() {
      const all = [...running.values()];
      for (const each of all) each.cancel();
      await Promise.all(all.map(({ result }) => result));
    },
  };
}
