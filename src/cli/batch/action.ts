import type { BatchOptions } from "../../batch/batch.js";
import type { BatchPlan } from "../../batch/model/plan.js";
import { type ReadPlan, readPlanFile } from "../../batch/read-plan-file.js";
import { planBatch, runBatch } from "../../batch/run-batch.js";
import { declareAgent } from "../../config/configured-agents.js";
import { HarnessError, isHarnessError } from "../../errors.js";
import { loadModels } from "../../models/load-models.js";
import { refreshRegistry } from "../../models/refresh-registry.js";
import { didYouMean } from "../../text/suggest.js";
import { createArmResolver, withDefaults } from "../arm-resolver.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { createOutput } from "../output.js";
import type { BatchFlags } from "./command.js";
import { describePlanned } from "./dry-run.js";
import { checkRunning, executorFor } from "./executor.js";
import { printBatch } from "./print-batch.js";
import { refuseUnfinished } from "./refuse-unfinished.js";

/** Runs a plan, or shows what it would do. */
export async function batchAction(path: string, flags: BatchFlags): Promise<number> {
  const file = readPlan(path);
  checkRunning(flags);
  const config = readConfiguration({ trust: flags.trust });
  const plan = inFile(file, () => withDefaults(withFlags(file.plan, flags), config));
  const models = loadModels(config);
  const resolveArm = await createArmResolver({
    config,
    models,
    agents: plan.arms.map(({ agent }) => agent),
    isLoading: !flags.dryRun,
    onWarning: complain,
  });
  const options: BatchOptions = {
    batchesDirectory: flags.directory,
    workDirectory: flags.workDirectory,
    keep: flags.keep,
    only: flags.only?.flatMap((text) => text.split(",")).map((id) => id.trim()),
    resolveArm,
  };
  if (flags.dryRun) {
    const planned = await inFileLater(file, planBatch(plan, options));
    for (const warning of planned.warnings) complain(`warning: ${warning}`);
    const output = createOutput(process.stdout);
    const moduleOf = (agent: string): string | undefined => declareAgent(agent, config).module;
    await describePlanned(planned, { resolveArm, moduleOf, format: flags.format, output });
    return 0;
  }
  if (!flags.new) await inFileLater(file, refuseUnfinished(plan, options));
  const refresh = refreshRegistry(models.registry);
  try {
    const batch = await inFileLater(file, runBatch(plan, { ...options, ...executorFor(flags) }));
    return await printBatch(batch, flags);
  } finally {
    refresh.stop();
  }
}

const subcommands = ["resume", "report", "status", "list"];

/** A word that is not a file may be a mistyped command. */
function readPlan(path: string): ReadPlan {
  try {
    return readPlanFile(path);
  } catch (error) {
    const meant = /^[a-z]+$/.test(path) ? didYouMean(path, subcommands) : "";
    if (!isHarnessError(error) || error.code !== "unreadable_file" || meant === "") throw error;
    throw new HarnessError("unreadable_file", `${error.message}${meant}`, { cause: error });
  }
}

/** Flags win over the plan. */
function withFlags(plan: BatchPlan, { repeats, concurrency, budgetUsd, isolated }: BatchFlags): BatchPlan {
  return {
    ...plan,
    ...(repeats !== undefined && { repeats }),
    ...(concurrency !== undefined && { concurrency }),
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(isolated ? {} : { isolated }),
  };
}

/** Errors about an arm or a task name its line. */
function inFile<T>(file: ReadPlan, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw withPlace(file, error);
  }
}

async function inFileLater<T>(file: ReadPlan, promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw withPlace(file, error);
  });
}

/** The engine names an arm or a task by its id, because a plan need not come from a file. */
function withPlace({ plan, placeOf }: ReadPlan, error: unknown): unknown {
  if (!(error instanceof HarnessError)) return error;
  const { code, message } = error;
  const [, kind, quoted, plain] = /^(arm|task) (?:"([^"]*)"|([\w.-]+)):/.exec(message) ?? [];
  const id = quoted ?? plain;
  const list = kind === "arm" ? plan.arms : plan.tasks;
  const index = list.findIndex((each) => each.id === id || ("agent" in each && idOfArm(each) === id));
  if (id === undefined || index === -1) return error;
  const key = code === "bad_workspace" ? ["workspace"] : [];
  const place = placeOf([`${kind}s`, String(index), ...key]);
  const hint = /cannot be isolated/.test(message)
    ? "; or run all agents in your own home with --no-isolated"
    : "";
  return new HarnessError(code, `${place}: ${message}${hint}`, { cause: error });
}

function idOfArm({ agent, model }: { agent: string; model?: string | undefined }): string {
  return model === undefined ? agent : `${agent}-${model}`;
}
