import type { AgentDefinition } from "../agents/definition.js";
import { requireAgent } from "../agents/registry.js";
import { HarnessError } from "../errors.js";
import { type Plan, planRun } from "../runs/plan.js";
import { type RunUnderWay, startRun } from "../runs/start-run.js";
import type { Run, Task } from "../runs/task.js";
import { checkTask } from "../runs/task-schema.js";
import { openSession } from "./open-session.js";
import { planSession } from "./plan-session.js";
import { createPolicy } from "./policy.js";
import { takeRunId } from "./run-ids.js";

/**
 * Runs an agent. Throws a `HarnessError` before anything is started if the task is invalid (an unknown agent, an option that
 * the agent does not have). Everything later is reported by the events and the result, also a program that is not installed.
 * With rules for permissions the run is a live session of one turn: the rules answer, and what they would ask is denied.
 *
 * @example
 * const r = run({ agent: "claude", prompt: "Fix the failing test" });
 * for await (const event of r) if (event.type === "write") console.log(event.path);
 * const { isSuccess, text } = await r.result;
 */
export function run(task: Task): Run {
  return beginRun(task);
}

/** The same for the command line, which prints what is recorded. */
export function beginRun(given: Task): RunUnderWay {
  const task = checkTask(given);
  const agent = typeof task.agent === "string" ? requireAgent(task.agent) : task.agent;
  if (needsSession(task, agent)) return runInSession(task);
  const plan = planRun(task);
  return takeRunId(plan.runId, () => startRun(plan));
}

/** How a task would be carried out: as a run, or as a session of one turn. Nothing is started. Throws as `run` does. */
export function planTask(given: Task): Plan {
  const task = checkTask(given);
  const agent = typeof task.agent === "string" ? requireAgent(task.agent) : task.agent;
  if (!needsSession(task, agent)) return planRun(task);
  const { prompt: _, ...rest } = task;
  return planSession(rest);
}

/** The run needs answers to requests, or the agent has no one-shot mode. */
function needsSession({ permissions }: Task, agent: AgentDefinition): boolean {
  if (agent.traits.isLiveOnly) return true;
  return permissions !== undefined && permissions !== "full-access" && permissions !== "read-only";
}

/** One turn, and then the session is closed. */
function runInSession({ prompt, ...task }: Task): RunUnderWay {
  if (prompt.trim() === "")
    throw new HarnessError("empty_prompt", "the prompt is empty; say in `prompt` what the agent is to do");
  const plan = planSession(task);
  const session = takeRunId(plan.runId, () =>
    openSession(plan, createPolicy({ ...plan, isUnattended: true })),
  );
  session.send(prompt).result.then(() => session.close());
  return {
    runId: session.runId,
    get pid() {
      return session.pid;
    },
    result: session.result,
    prompt: plan.redact(prompt),
    get recording() {
      return session.recording;
    },
    get stopping() {
      return session.stopping;
    },
    batches: () => session.batches(),
    recordedBatches: () => session.recordedBatches(),
    [Symbol.asyncIterator]: () => session[Symbol.asyncIterator](),
    cancel: () => session.cancel(),
  };
}
