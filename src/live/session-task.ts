import * as v from "valibot";
import { AgentDefinitionSchema } from "../agents/agent-schemas.js";
import type { Answer, SessionRequest } from "../agents/live-contract.js";
import type { Task } from "../runs/task.js";
import { TaskSchema } from "../runs/task-schema.js";
import { checkOptions } from "../text/check-options.js";
import { functionOf, positiveNumber } from "../text/option-parts.js";

/**
 * Answers a request of the agent. Undefined leaves it open for `session.answer()`. If it throws, the request is denied, and a
 * warning says why.
 */
export type OnRequest = (request: SessionRequest) => Answer | undefined | Promise<Answer | undefined>;

/** What a live session is opened with: everything a task has except the prompt. `timeoutMs` is for the whole session. */
export interface SessionTask extends Omit<Task, "prompt"> {
  /** A turn that takes longer is interrupted, and fails. */
  turnTimeoutMs?: number | undefined;
  /** Answers the agent's requests. Without it they are events that wait for `session.answer()`. */
  onRequest?: OnRequest | undefined;
}

const { prompt: _, ...entries } = TaskSchema.entries;

/** The schema of `SessionTask`. A test proves that the two agree. */
export const SessionTaskSchema = v.strictObject({
  ...entries,
  turnTimeoutMs: v.optional(positiveNumber),
  onRequest: v.optional(functionOf<OnRequest>()),
});

/** Checks and copies a task, as `checkTask` does for runs. */
export function checkSessionTask(given: unknown): SessionTask {
  const task = checkOptions(SessionTaskSchema, given, "task");
  if (typeof task.agent !== "string") checkOptions(AgentDefinitionSchema, task.agent, "task.agent");
  return task;
}
