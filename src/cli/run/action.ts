import type { DeclaredAgent } from "../../config/configured-agents.js";
import { chooseModel } from "../../models/choose-model.js";
import { findPrice } from "../../models/find-price.js";
import { loadModels } from "../../models/load-models.js";
import { refreshRegistry } from "../../models/refresh-registry.js";
import type { Task } from "../../runs/task.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { chooseAgent, chooseDeclaredAgent } from "../running/choose-agent.js";
import { printRun } from "../running/print-run.js";
import { findResumed } from "../running/resumed-session.js";
import { checkPlaces } from "./check-places.js";
import type { RunFlags } from "./command.js";
import { describeDryRun } from "./dry-run.js";
import { readPrompt } from "./read-prompt.js";
import { taskFromFlags } from "./task-from-flags.js";

/** Runs an agent and prints its stream as it comes. */
export async function runAction(behindDashes: readonly string[], flags: RunFlags): Promise<number> {
  const config = readConfiguration({ cwd: flags.cwd, trust: flags.trust });
  const resumed = flags.resume === undefined ? undefined : await findResumed(flags.resume);
  const wanted = flags.agent ?? resumed?.meta.agent;
  const { agent, module }: DeclaredAgent = flags.dryRun
    ? chooseDeclaredAgent(wanted, config)
    : { agent: await chooseAgent(wanted, config) };
  const prompt = await readPrompt(flags);
  checkPlaces(flags);
  const models = loadModels(config);
  const { model, warnings } = chooseModel(flags.model, agent, config, models.layers);
  for (const warning of warnings) complain(`warning: ${warning}`);
  const fromFlags = taskFromFlags(flags, { agent, prompt, config, behindDashes, model, resumed });
  const task: Task = { ...fromFlags, findPrice: (id) => findPrice(id, models.layers) };
  const output = createOutput(process.stdout);
  if (flags.dryRun) {
    const { text, isRunnable } = describeDryRun(task, module);
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
