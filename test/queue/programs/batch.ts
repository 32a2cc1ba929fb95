/** A batch over a queue as a process. Its argument is JSON. It prints the lines of its ledger as they come. */
import type { BatchToCarryOut } from "../../../src/batch/batch.js";
import type { BatchPlan } from "../../../src/batch/model/plan.js";
import { createQueueExecutor } from "../../../src/batch/queue/queue-executor.js";
import { resumeBatch, runBatch } from "../../../src/batch/run-batch.js";
import { resolveFake } from "./fake-agent.js";

interface Options {
  url: string;
  version: string;
  plan: BatchPlan;
  batchesDirectory: string;
  sessionsDirectory: string;
  /** The directory of the batch to go on with. */
  resume?: string;
  reconcileMs?: number;
}

async function main(): Promise<void> {
  const { url, version, plan, resume, batchesDirectory, sessionsDirectory, reconcileMs }: Options =
    JSON.parse(process.argv[2] ?? "{}");
  const options = {
    batchesDirectory,
    sessionsDirectory,
    resolveArm: resolveFake,
    executor: (batch: BatchToCarryOut) =>
      createQueueExecutor({
        ...batch,
        url,
        version,
        sessionsDirectory,
        reconcileMs,
        onNotice: (sentence) => process.stdout.write(`notice ${sentence}\n`),
      }),
  };
  const batch = resume === undefined ? await runBatch(plan, options) : await resumeBatch(resume, options);
  process.stdout.write(`directory ${batch.directory}\n`);
  for await (const line of batch) process.stdout.write(`${JSON.stringify(line)}\n`);
  await batch.result;
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
