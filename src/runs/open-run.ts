import { createSteps, type Steps } from "../agents/steps.js";
import type { ModelPrice } from "../events/price.js";
import { type FindPrice, findBuiltInPrice } from "../models/find-price.js";
import { type LocatedProgram, locateProgram } from "../process/locate-program.js";
import type { Plan } from "./plan.js";
import { createOutputCheck } from "./recording/output-check.js";
import { defaultRecordingsDirectory } from "./recording/paths.js";
import { createRecorder, type Recorder } from "./recording/recorder.js";
import { metaAtStart } from "./run-meta.js";

/** What a run needs besides its process. */
export interface OpenedRun {
  located: LocatedProgram;
  recorder: Recorder;
  /** Why the run cannot be recorded. Empty if it can. */
  problems: string[];
  steps: Steps;
}

/** Finds the program, opens the recording and makes the step machine. Throws only when the run id is taken. */
export function openRun(plan: Plan, startedAt: string): OpenedRun {
  const { task, agent, runId, cwd, env, launch } = plan;
  const { name: agentName, binaries: names, install } = agent;
  const located = locateProgram({ agentName, names, binary: task.binary, install }, { env, cwd });
  const program = "path" in located ? [located.path, ...located.leadingArgs] : undefined;
  const { model, findPrice = findBuiltInPrice } = task;
  const price = model === undefined ? undefined : findPrice(model);
  const recorder = createRecorder({
    sessionsDirectory:
      task.log === false ? undefined : (task.sessionsDirectory ?? defaultRecordingsDirectory()),
    recordTo: task.recordTo,
    meta: { ...metaAtStart(plan, program, startedAt), ...(price !== undefined && { price }) },
  });
  const steps = createSteps(agent, {
    runId,
    cwd: plan.redact(cwd),
    ...(task.agentVersion !== undefined && { agentVersion: task.agentVersion }),
    ...(task.resume !== undefined && { isResumed: true }),
    ...(launch.sessionId !== undefined && { sessionId: plan.redact(launch.sessionId) }),
    prompt: plan.redact(task.prompt),
    ...(plan.live !== undefined && { live: plan.live }),
    ...(model !== undefined && { model: plan.redact(model) }),
    ...(plan.schema !== undefined && { checkOutput: createOutputCheck(plan.schema) }),
    findPrice: plan.live === undefined ? findPrice : notingPrices(findPrice, recorder),
  });
  return { located, recorder, problems: recorder.open(), steps };
}

/** A session may use several models. Their prices are noted at once, so that a replay gives the same costs. */
function notingPrices(findPrice: FindPrice, recorder: Recorder): FindPrice {
  const prices: Record<string, ModelPrice> = {};
  return (model) => {
    const price = findPrice(model);
    if (price !== undefined && !Object.hasOwn(prices, model)) {
      prices[model] = price;
      recorder.update({ prices: { ...prices } });
    }
    return price;
  };
}
