import { openSession } from "./open-session.js";
import { planSession } from "./plan-session.js";
import { createPolicy } from "./policy.js";
import { takeRunId } from "./run-ids.js";
import type { Session } from "./session.js";
import type { SessionUnderWay } from "./session-handle.js";
import type { SessionTask } from "./session-task.js";

/**
 * Opens a live session with an agent. Throws a `HarnessError` before anything is started if the task is invalid, or if the
 * agent cannot do what it asks for. Everything later is reported by the events and the result.
 *
 * @example
 * const s = open({ agent: "claude", permissions: "ask", onRequest: () => ({ allow: true }) });
 * const { text } = await s.send("Fix the failing test").result;
 * await s.close();
 */
export function open(task: SessionTask): Session {
  return beginSession(task);
}

/** The same for the command line, which prints what is recorded. `isUnattended`: nobody can be asked, so what would be asked is denied. */
export function beginSession(
  task: SessionTask,
  { isUnattended = false }: { isUnattended?: boolean } = {},
): SessionUnderWay {
  const plan = planSession(task);
  return takeRunId(plan.runId, () =>
    openSession(plan, createPolicy({ ...plan, isUnattended }), { isShared: true }),
  );
}
