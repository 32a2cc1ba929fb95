import type { TranslatedAgent } from "../../agents/frame/frame.js";
import type { ModelPrice } from "../../events/price.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import type { Step } from "../../events/step.js";
import type { ToldEnd } from "./end-without-exit.js";
import { readRecording } from "./read-recording.js";
import { createReplayer, type ReplayerOptions } from "./replayer.js";

export interface ReplayOptions extends ReplayerOptions {
  /** False: a recording without an end stays without one. Otherwise it ends as an interrupted run. */
  completes?: boolean;
  /** How the run ended, for a recording that stops before. */
  told?: ToldEnd;
}

/** What the sidecar tells a translator, so that the replay is the same as the run was. */
export function replayOptionsOf(meta: RecordingMeta): ReplayOptions {
  return {
    runId: meta.runId,
    cwd: meta.cwd,
    startedAt: meta.startedAt,
    prompt: meta.prompt,
    ...(meta.versionAtStart !== undefined && { agentVersion: meta.versionAtStart }),
    ...(meta.resume !== undefined && { isResumed: true }),
    ...(meta.sessionAtStart !== undefined && { sessionId: meta.sessionAtStart }),
    ...(meta.price !== undefined && pricedBy(meta.price)),
    told: meta,
  };
}

/** The one price of the run, so that the cost stays the same when prices change. */
function pricedBy(price: ModelPrice): Pick<ReplayOptions, "model" | "findPrice"> {
  return { model: price.model, findPrice: (model) => (model === price.model ? price : undefined) };
}

/**
 * Runs a `raw.jsonl` through the agent's translator again. With the same options as the run had, the
 * events are the same, times included.
 */
export async function* replayRecording(
  agent: TranslatedAgent,
  rawPath: string,
  options: ReplayOptions = {},
): AsyncGenerator<Step[]> {
  const { completes = true, told, ...rest } = options;
  const replayer = createReplayer(agent, rest);
  const start = replayer.steps([]);
  if (start.length > 0) yield start;
  for await (const records of readRecording(rawPath)) yield replayer.steps(records);
  if (!completes) return;
  const end = replayer.interrupt(told);
  if (end.length > 0) yield end;
}
