import { HarnessError } from "../errors.js";
import { planRun } from "./plan.js";
import { type RunUnderWay, startRun } from "./start-run.js";
import type { Run, Task } from "./task.js";

/** Runs that are under way in this process. Two with the same id would stop each other's processes. */
const underWay = new Set<string>();

/**
 * Runs an agent. Throws a `HarnessError` before anything is started if the task is invalid (an unknown agent, an option that
 * the agent does not have). Everything later is reported by the events and the result, also a program that is not installed.
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
export function beginRun(task: Task): RunUnderWay {
  const plan = planRun(task);
  const { runId } = plan;
  if (underWay.has(runId)) {
    throw new HarnessError("run_id_taken", `a run ${runId} is under way; choose another run id`);
  }
  const started = startRun(plan);
  underWay.add(runId);
  started.result.finally(() => underWay.delete(runId));
  return started;
}
