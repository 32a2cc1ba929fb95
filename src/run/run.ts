import { HarnessError } from "../errors.js";
import { createLineSplitter } from "../process/line-splitter.js";
import { locateProgram } from "../process/locate-program.js";
import { type AgentProcess, type ProcessEnd, startProcess } from "../process/start.js";
import { toLineRecord } from "../process/to-line-record.js";
import { createRecorder, type Recorder } from "../recording/recorder.js";
import { defaultSessionsDirectory } from "../recording/paths.js";
import { createFramedTranslator } from "../translator/frame.js";
import type { HarnessEvent } from "../vocabulary/event.js";
import type { ExitRecord, LineRecord } from "../vocabulary/raw-record.js";
import { createDelivery } from "./delivery.js";
import { metaAtEnd, metaAtStart } from "./run-meta.js";
import { type Plan, planRun } from "./plan.js";
import { createTally } from "./tally.js";
import type { Run, RunResult, Step, Task } from "./task.js";
import { createWatch } from "./watch.js";

const defaultGraceMs = 10_000;
const defaultSilenceMs = 2 * 60_000;
const defaultSilenceOfSilentMs = 30 * 60_000;

/** Runs that are under way in this process: two with the same id would stop each other's processes. */
const underWay = new Set<string>();

/**
 * Runs an agent. A task that cannot be right (an unknown agent, an option that the agent does not have)
 * throws a `HarnessError` before anything is started; everything that happens later, a program that is
 * not installed included, is told by the events and the result.
 *
 * @example
 * const r = run({ agent: "claude", prompt: "Fix the failing test" });
 * for await (const event of r) if (event.type === "write") console.log(event.path);
 * const { isSuccess, text } = await r.result;
 */
export function run(task: Task): Run {
  const plan = planRun(task);
  if (underWay.has(plan.runId)) {
    throw new HarnessError("run_id_taken", `a run ${plan.runId} is under way; choose another run id`);
  }
  return startRun(plan);
}
