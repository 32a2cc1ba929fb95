import type { Translator, TranslatorOptions } from "../translator/contract.js";
import { createFramedTranslator, type TranslatedAgent } from "../translator/frame.js";
import type { RawRecord } from "../vocabulary/raw-record.js";
import type { RecordingMeta } from "./meta.js";
import { readRecording } from "./read-recording.js";
import type { Step } from "./step.js";

export interface ReplayOptions extends TranslatorOptions {
  /** When the run was started. Left out: the time of its first record. */
  startedAt?: string | undefined;
  /** False: a recording without an end stays without one. Otherwise it ends as a cancelled run. */
  completes?: boolean;
}

/** What the sidecar tells a translator, so that the replay is the same as the run was. */
export function replayOptionsOf(meta: RecordingMeta): ReplayOptions {
  return {
    runId: meta.runId,
    cwd: meta.cwd,
    startedAt: meta.startedAt,
    ...(meta.versionAtStart !== undefined && { agentVersion: meta.versionAtStart }),
    ...(meta.resume !== undefined && { isResumed: true }),
  };
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
  const { startedAt, completes = true, ...translatorOptions } = options;
  const translator = createFramedTranslator(agent, translatorOptions);
  let timestamp = startedAt;
  let hasEnd = false;
  if (startedAt !== undefined) yield [{ events: translator.start(startedAt) }];
  for await (const records of readRecording(rawPath)) {
    const steps: Step[] = [];
    if (timestamp === undefined) steps.push({ events: translator.start(records[0]?.timestamp) });
    for (const record of records) {
      steps.push(toStep(translator, record));
      timestamp = record.timestamp;
      hasEnd ||= record.stream === "exit";
    }
    yield steps;
  }
  if (hasEnd || !completes) return;
  const detail = "the run was interrupted: its recording stops before it ended";
  yield [{ events: translator.end({ exitCode: null, reason: "cancelled", detail }, timestamp) }];
}

function toStep(translator: Translator, record: RawRecord): Step {
  const events = translator.record(record);
  const rule = events.length === 0 ? translator.lastRule : undefined;
  return { record, events, ...(rule !== undefined && { rule }) };
}
