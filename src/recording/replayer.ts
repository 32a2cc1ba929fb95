import type { Translator, TranslatorOptions } from "../translator/contract.js";
import { createFramedTranslator, type TranslatedAgent } from "../translator/frame.js";
import type { RawRecord } from "../vocabulary/raw-record.js";
import type { RecordingMeta } from "./meta.js";
import type { Step } from "./step.js";

export interface ReplayerOptions extends TranslatorOptions {
  /** When the run was started. Left out: the time of its first record. */
  startedAt?: string | undefined;
}

/** Turns the records of a run into its steps, as they come. */
export interface Replayer {
  /** Also gives the start of the run, before the first of them. */
  steps(records: readonly RawRecord[]): Step[];
  /** For a recording that stops before its run did: the end as the sidecar tells it, else that of a run that was cut off. */
  interrupt(told?: ToldEnd): Step[];
}

/** What a sidecar says of the end of a run. */
export type ToldEnd = Pick<RecordingMeta, "outcome" | "exitCode" | "signal" | "endedAt" | "problem">;

export function createReplayer(agent: TranslatedAgent, options: ReplayerOptions = {}): Replayer {
  const { startedAt, ...translatorOptions } = options;
  const translator = createFramedTranslator(agent, translatorOptions);
  let timestamp: string | undefined;
  let hasStarted = false;
  let hasEnd = false;

  function start(first: string | undefined): Step[] {
    if (hasStarted) return [];
    hasStarted = true;
    timestamp = startedAt ?? first;
    return [{ events: translator.start(timestamp) }];
  }

  function endAsTold(
    { exitCode = null, signal, endedAt, problem }: ToldEnd,
    outcome: NonNullable<ToldEnd["outcome"]>,
  ): Step[] {
    const at = endedAt ?? timestamp ?? "";
    const message = problem ?? "the recording stops before the run did";
    const notice: RawRecord = { timestamp: at, stream: "harness", code: "recording_failed", message };
    const ended = { exitCode, outcome, ...(signal !== undefined && { signal }) };
    // No record: there is none of it in the recording.
    return [{ events: translator.record(notice) }, { events: translator.end(ended, at) }];
  }

  return {
    steps(records) {
      const [first] = records;
      if (first === undefined && startedAt === undefined) return [];
      const steps = start(first?.timestamp);
      for (const record of records) {
        steps.push(toStep(translator, record));
        timestamp = record.timestamp;
        hasEnd ||= record.stream === "exit";
      }
      return steps;
    },
    interrupt(told = {}) {
      if (hasEnd) return [];
      hasEnd = true;
      if (told.outcome !== undefined) return endAsTold(told, told.outcome);
      const detail = "the run was interrupted: its recording stops before it ended";
      return [{ events: translator.end({ exitCode: null, reason: "cancelled", detail }, timestamp) }];
    },
  };
}

function toStep(translator: Translator, record: RawRecord): Step {
  const events = translator.record(record);
  const rule = events.length === 0 ? translator.lastRule : undefined;
  return { record, events, ...(rule !== undefined && { rule }) };
}
