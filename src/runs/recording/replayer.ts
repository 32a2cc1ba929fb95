import type { Translator, TranslatorOptions } from "../../agents/contract.js";
import { createFramedTranslator, type TranslatedAgent } from "../../agents/frame/frame.js";
import type { RawRecord } from "../../events/raw-record.js";
import type { Step } from "../../events/step.js";
import { endWithoutExit, type ToldEnd } from "./end-without-exit.js";

export interface ReplayerOptions extends TranslatorOptions {
  /** When the run was started. Left out: the time of its first record. */
  startedAt?: string | undefined;
}

/** Turns the records of a run into its steps, as they come. */
export interface Replayer {
  /** Also gives the start of the run, before the first of them. */
  steps(records: readonly RawRecord[]): Step[];
  /** For a recording that stops before its run did: the end as the sidecar tells it, else that of an interrupted run. */
  interrupt(told?: ToldEnd): Step[];
  /** True once the exit record was among the records. */
  readonly hasEnd: boolean;
}

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
    interrupt(told) {
      if (hasEnd) return [];
      hasEnd = true;
      // No record: there is none of it in the recording.
      return [{ events: endWithoutExit(translator, told, timestamp) }];
    },
    get hasEnd() {
      return hasEnd;
    },
  };
}

function toStep(translator: Translator, record: RawRecord): Step {
  const events = translator.record(record);
  const rule = events.length === 0 ? translator.lastRule : undefined;
  return { record, events, ...(rule !== undefined && { rule }) };
}
