import { loadConfig } from "../../config/load-config.js";
import { chooseModel } from "../../models/choose-model.js";
import { findPrice } from "../../models/find-price.js";
import { loadModels } from "../../models/load-models.js";
import { refreshRegistry } from "../../models/refresh-registry.js";
import type { Task } from "../../run/task.js";
import { complain } from "../complain.js";
import { exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { checkPlaces } from "../run/check-places.js";
import { chooseAgent } from "../run/choose-agent.js";
import { describeDryRun } from "../run/dry-run.js";
import type { RunFlags } from "../run/flags.js";
import { printRun } from "../run/print-run.js";
import { readPrompt } from "../run/read-prompt.js";
import { findResumed } from "../run/resumed-session.js";
import { taskFromFlags } from "../run/task-from-flags.js";

/** Runs an agent and prints its stream as it comes. */
export async function runAction(behindDashes: string[], flags: RunFlags): Promise<number> {
  const config = loadConfig({ cwd: flags.cwd ?? process.cwd() });
  const resumed = flags.resume === undefined ? undefined : await findResumed(flags.resume);
  const agent = await chooseAgent(flags.agent ?? resumed?.meta.agent, config);
  const prompt = await readPrompt(flags);
  checkPlaces(flags);
  const models = loadModels(config);
  const { model, warnings } = chooseModel(flags.model, agent, config, models.layers);
  for (const warning of warnings) complain(`warning: ${warning}`);
  const fromFlags = taskFromFlags(flags, { agent, prompt, config, behindDashes, model, resumed });
  const task: Task = { ...fromFlags, findPrice: (id) => findPrice(id, models.layers) };
  const output = createOutput(process.stdout);
  if (flags.dryRun) {
    const { text, isRunnable } = describeDryRun(task);
    await output.print(text);
    return isRunnable ? exitCodes.success : exitCodes.notInstalled;
  }
  const refresh = refreshRegistry(models.registry);
  try {
    return await printRun(task, agent, flags, output);
  } finally {
    refresh.stop();
  }
}
