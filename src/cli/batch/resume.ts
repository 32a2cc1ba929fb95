import { readBatch } from "../../batch/read-batch.js";
import { resumeBatch } from "../../batch/run-batch.js";
import { loadModels } from "../../models/load-models.js";
import { refreshRegistry } from "../../models/refresh-registry.js";
import { createArmResolver } from "../arm-resolver.js";
import { countMissing, findBatch, handleOf, newestUnfinished } from "../batches.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { exitCodes } from "../exit-codes.js";
import type { ResumeFlags } from "./command.js";
import { checkRunning, executorFor } from "./executor.js";
import { printBatch } from "./print-batch.js";

/** Goes on with a batch. Nothing is missing: says so. */
export async function resumeAction(id: string | undefined, flags: ResumeFlags): Promise<number> {
  checkRunning(flags);
  const { batchId, directory } =
    id === undefined ? newestUnfinished(flags.directory) : findBatch(id, flags.directory);
  const { state, isRunning } = readBatch(directory);
  if (!isRunning && countMissing(state) === 0) {
    complain(
      `nothing is missing in the batch ${batchId}; see it with: harness batch report ${handleOf({ batchId, directory })}`,
    );
    return exitCodes.success;
  }
  const config = readConfiguration({ trust: flags.trust });
  const models = loadModels(config);
  const resolveArm = await createArmResolver({
    config,
    models,
    agents: state.head.plan.arms.map(({ agent }) => agent),
    isLoading: true,
    onWarning: complain,
  });
  const { concurrency, budgetUsd, keep } = flags;
  const plan = {
    ...(concurrency !== undefined && { concurrency }),
    ...(budgetUsd !== undefined && { budgetUsd }),
  };
  const refresh = refreshRegistry(models.registry);
  try {
    const batch = await resumeBatch(directory, { resolveArm, keep, plan, ...executorFor(flags) });
    return await printBatch(batch, flags);
  } finally {
    refresh.stop();
  }
}
