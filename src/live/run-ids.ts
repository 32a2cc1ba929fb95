import { HarnessError } from "../errors.js";

/** Runs and sessions that are under way in this process. Two with the same id would stop each other's processes. */
const underWay = new Set<string>();

/** Starts a run under an id that no other one has. */
export function takeRunId<T extends { result: Promise<unknown> }>(runId: string, start: () => T): T {
  if (underWay.has(runId)) {
    throw new HarnessError("run_id_taken", `a run ${runId} is under way; choose another run id`);
  }
  const started = start();
  underWay.add(runId);
  started.result.finally(() => underWay.delete(runId));
  return started;
}
