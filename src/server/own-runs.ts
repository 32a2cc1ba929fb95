import { open } from "../live/open.js";
import { run } from "../live/run.js";
import type { Session } from "../live/session.js";
import type { SessionTask } from "../live/session-task.js";
import type { Run, Task } from "../runs/task.js";
import type { OwnKind } from "./run-row.js";

/** The runs and live sessions that were started from the page. */
export interface OwnRuns {
  /** Returns the run's id. Throws a HarnessError when the task is invalid. */
  start(task: Task): string;
  /** Opens a live session and sends its first prompt. Returns the id of its recording. */
  open(task: SessionTask, prompt: string): string;
  kindOf(id: string): OwnKind | undefined;
  session(id: string): Session | undefined;
  /** False when no such run is under way. */
  cancel(id: string): boolean;
  /** Ends all of them and waits until they have ended. */
  close(): Promise<void>;
}

export function createOwnRuns(sessionsDirectory: string): OwnRuns {
  const running = new Map<string, Run>();
  const sessions = new Map<string, Session>();

  function keep<T extends Run | Session>(all: Map<string, T>, started: T): string {
    all.set(started.runId, started);
    void started.result.finally(() => all.delete(started.runId));
    return started.runId;
  }

  return {
    start: (task) => keep(running, run({ ...task, sessionsDirectory })),
    open(task, prompt) {
      const session = open({ ...task, sessionsDirectory });
      session.send(prompt);
      void drain(session);
      return keep(sessions, session);
    },
    kindOf: (id) => (sessions.has(id) ? "session" : running.has(id) ? "run" : undefined),
    session: (id) => sessions.get(id),
    cancel(id) {
      const one = running.get(id) ?? sessions.get(id);
      one?.cancel();
      return one !== undefined;
    },
    async close() {
      const all = [...running.values(), ...sessions.values()];
      for (const each of running.values()) each.cancel();
      for (const each of sessions.values()) void each.close();
      await Promise.all(all.map(({ result }) => result));
    },
  };
}

/** The page reads the recording. What nobody reads here would slow the agent down. */
async function drain(session: Session): Promise<void> {
  for await (const _ of session.batches());
}
