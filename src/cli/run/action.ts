import type { DeclaredAgent } from "../../config/configured-agents.js";
import { isHarnessError } from "../../errors.js";
import { chooseModel } from "../../models/choose-model.js";
import { findPrice } from "../../models/find-price.js";
import { loadModels } from "../../models/load-models.js";
import { refreshRegistry } from "../../models/refresh-registry.js";
import type { Task } from "../../runs/task.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { checkPlaces } from "../running/check-places.js";
import { chooseAgent, chooseDeclaredAgent } from "../running/choose-agent.js";
import { type OutputTargets, printedTargets } from "../running/output-targets.js";
import { printRun } from "../running/print-run.js";
import { promptArgument, splitAtDashes } from "../running/prompt-argument.js";
import { directoryOf, findResumed } from "../running/resumed-session.js";
import type { CheckRequest } from "../running/run-check.js";
import { refuseIdleThinking } from "../shared-options.js";
import type { RunFlags } from "./command.js";
import { describeDryRun } from "./dry-run.js";
import { asTraced, createFollowers, refuseIdleSending } from "./followers.js";
import { readPrompt } from "./read-prompt.js";
import { taskFromFlags } from "./task-from-flags.js";

export interface RunGiven {
  /** The prompt, and after `--` arguments for the agent. */
  words: readonly string[];
  flags: RunFlags;
  refuse(sentence: string): never;
}

/** Runs an agent and prints its stream as it comes. */
export async function runAction(given: RunGiven): Promise<number> {
  const targets = printedTargets(given.flags);
  try {
    return await planAndRun(given, targets);
  } catch (error) {
    if (targets.format === "github" && isHarnessError(error)) await annotateProblem(error);
    throw error;
  }
}

/** Nothing was run. The job shows why above its log, too. */
async function annotateProblem({ message }: Error): Promise<void> {
  const { annotate } = await import("../../outputs/github/annotations.js");
  await createOutput(process.stdout).print(`${annotate("error", message, "harness")}\n`);
}

async function planAndRun(
  { words: all, flags: given, refuse }: RunGiven,
  targets: OutputTargets,
): Promise<number> {
  const { words, behindDashes } = splitAtDashes(all);
  refuseIdleThinking({ flags: { ...given, ...targets }, refuse });
  refuseIdleSending(given, targets, refuse);
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
  const check = checkOf(given, refuse);
  const output = createOutput(process.stdout);
  if (flags.dryRun) {
    const { text, json, isRunnable } = describeDryRun(task, { module, targets, flags });
    await (given.format === "json" ? output.printJson(json) : output.print(text));
    return isRunnable ? exitCodes.success : exitCodes.notInstalled;
  }
  const followers = await createFollowers(flags);
  const refresh = refreshRegistry(models.registry);
  try {
    const hasContents = flags.otlpContents;
    const traced = await asTraced(task, flags);
    return await printRun(traced, agent, { ...flags, ...targets, followers, hasContents, check }, output);
  } finally {
    refresh.stop();
  }
}

/** As long as the check of a batch may take. */
const defaultCheckMs = 10 * 60_000;

function checkOf({ check, checkTimeout }: RunFlags, refuse: RunGiven["refuse"]): CheckRequest | undefined {
  if (check !== undefined) return { command: check, timeoutMs: checkTimeout ?? defaultCheckMs };
  if (checkTimeout !== undefined)
    refuse('--check-timeout is the limit of a check, and there is none: add --check "npm test"');
  return undefined;
}
