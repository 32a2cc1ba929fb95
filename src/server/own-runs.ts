import { run } from "../runs/run.js";
import type { Run, Task } from "../runs/task.js";

/** The runs that were started from the page. */
export interface OwnRuns {
  /** Throws a HarnessError when the task cannot be right. */
  start(task: Task): string;
  has(id: string): boolean;
  /** False when there is no such run under way. */
  cancel(id: string): boolean;
  /** Stops them all. */
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
