export { type Plan, planRun } from "./plan.js";
export { run } from "./run.js";
export { createRunId } from "./run-id.js";
export type { Run, RunResult, Step, Task } from "./task.js";
