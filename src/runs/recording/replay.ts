import type { TranslatedAgent } from "../../agents/frame/frame.js";
import { createSteps, type KnownEnd, type StepsOptions } from "../../agents/steps.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import type { Step } from "../../events/step.js";
import { createOutputCheck } from "./output-check.js";
import { readRecording } from "./read-recording.js";

export interface ReplayedOptions extends StepsOptions {
  /** False: a recording without an exit record stays without an end. Otherwise it ends as an interrupted run. */
  completes?: boolean;
  /** How the run ended, for a recording that stops before it. */
  known?: KnownEnd;
}

/** The options of a recorded run, from its sidecar. With them a replay is the same as the run was. */
export function replayOptionsOf(meta: RecordingMeta): StepsOptions {
  return {
    runId: meta.runId,
    cwd: meta.cwd,
    startedAt: meta.startedAt,
    prompt: meta.prompt,
    ...(meta.versionAtStart !== undefined && { agentVersion: meta.versionAtStart }),
    ...(meta.resume !== undefined && { isResumed: true }),
    ...(meta.sessionAtStart !== undefined && { sessionId: meta.sessionAtStart }),
    ...(meta.live !== undefined && { live: meta.live }),
    ...(meta.imported?.store !== undefined && { stored: meta.imported.store }),
    ...(meta.imported?.isUntimed && { hasTiming: false }),
    ...(meta.schema !== undefined && { checkOutput: createOutputCheck(meta.schema) }),
    ...pricedBy(meta),
  };
}

/** The prices of the run, so that costs stay the same when prices change. */
function pricedBy({ price, prices = {} }: RecordingMeta): Pick<StepsOptions, "model" | "findPrice"> {
  const known = new Map(Object.entries(prices));
  if (price !== undefined) known.set(price.model, price);
  const [first] = known.keys();
  if (first === undefined) return {};
  return { model: price?.model ?? first, findPrice: (model) => known.get(model) };
}

/** Translates a `raw.jsonl` again. With the options of the run, the events are the same, times included. */
export async function* replayRecording(
  agent: TranslatedAgent,
  rawPath: string,
  options: ReplayedOptions = {},
): AsyncGenerator<Step[]> {
  const { completes = true, known, ...rest } = options;
  const steps = createSteps(agent, rest);
  const start = steps.pushAll([]);
  if (start.length > 0) yield start;
  for await (const records of readRecording(rawPath)) yield steps.pushAll(records);
  if (!completes) return;
  const end = steps.interrupted(known);
  if (end.length > 0) yield end;
}
