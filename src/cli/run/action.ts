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
import { type OutputTargets, outputTargets } from "../running/output-targets.js";
import { printRun } from "../running/print-run.js";
import { promptArgument, splitAtDashes } from "../running/prompt-argument.js";
import { directoryOf, findResumed } from "../running/resumed-session.js";
import { defaultFormat, refuseIdleThinking } from "../shared-options.js";
import { checkPlaces } from "./check-places.js";
import type { RunFlags } from "./command.js";
import { describeDryRun } from "./dry-run.js";
import { readPrompt } from "./read-prompt.js";
import { taskFromFlags } from "./task-from-flags.js";

export interface RunGiven {
  /** The prompt, and after `--` arguments for the agent. */
  words: readonly string[];
  flags: RunFlags;
  refuse(sentence: string): never;
}

/** Runs an agent and prints its stream as it comes. */
export async function runAction({ words: all, flags: given, refuse }: RunGiven): Promise<number> {
  const { words, behindDashes } = splitAtDashes(all);
  const targets = targetsOf(given);
  refuseIdleThinking({ flags: { ...given, ...targets }, refuse });
  const argument = promptArgument(words, given, "run", refuse);
  const resumed = given.resume === undefined ? undefined : await findResumed(given.resume);
  const cwd = given.cwd ?? (resumed && directoryOf(resumed));
  const flags: RunFlags = { ...given, prompt: argument ?? given.prompt, cwd };
  const config = readConfiguration({ cwd, trust: flags.trust });
  const wanted = flags.agent ?? resumed?.meta.agent;
  const { agent, module }: DeclaredAgent = flags.dryRun
    ? chooseDeclaredAgent(wanted, config)
    : { agent: await chooseAgent(wanted, config) };
  const prompt = await readPrompt(flags);
  checkPlaces(flags, targets);
  const models = loadModels(config);
  const { model, warnings } = chooseModel(flags.model, agent, config, models.layers);
  for (const warning of warnings) complain(`warning: ${warning}`);
  const fromFlags = taskFromFlags(flags, { agent, prompt, config, behindDashes, model, resumed });
  const task: Task = { ...fromFlags, findPrice: (id) => findPrice(id, models.layers) };
  const output = createOutput(process.stdout);
  if (flags.dryRun) {
    const { text, json, isRunnable } = describeDryRun(task, { module, targets, flags });
    await (given.format === "json" ? output.printJson(json) : output.print(text));
    return isRunnable ? exitCodes.success : exitCodes.notInstalled;
  }
  const refresh = refreshRegistry(models.registry);
  try {
    return await printRun(task, agent, { ...flags, ...targets }, output);
  } finally {
    refresh.stop();
  }
}

/** `--thinking` asks for `text`, unless standard output gets another output. */
function targetsOf(flags: RunFlags): OutputTargets {
  if (!flags.thinking || flags.format !== "text") return outputTargets(flags, defaultFormat);
  return outputTargets({ ...flags, format: undefined }, "text");
}
