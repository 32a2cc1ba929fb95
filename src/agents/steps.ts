import { exitReasons } from "../events/failure.js";
import type { RawRecord } from "../events/raw-record.js";
import type { Ended, Outcome } from "../events/run-state.js";
import type { Step } from "../events/step.js";
import type { Translator, TranslatorOptions } from "./contract.js";
import { createFramedTranslator, type TranslatedAgent } from "./frame/frame.js";

/**
 * The step machine: turns the records of one run into its steps. Live runs, replays, `translate`, the page's import and
 * the benchmarks all use it, so they cannot differ. Pure, and never throws.
 */
export interface Steps extends Pick<Translator, "isDone" | "openWork" | "agentVersion" | "price"> {
  /** The start of the run. Only the first call returns it. */
  start(at?: string): Step[];
  /** What one record gave. An exit record ends the run. */
  push(record: RawRecord): Step;
  /** The start of the run, if it is still missing, and what each record gave. */
  pushAll(records: readonly RawRecord[]): Step[];
  /** The process has ended, but there is no exit record. */
  end(ended: Ended, at?: string): Step;
  /**
   * The records stop before the run did. Returns the known end, otherwise the end of an interrupted run. Returns nothing
   * if there was an exit record.
   */
  interrupted(known?: KnownEnd): Step[];
  /** True once the run has ended: the stream is complete. */
  readonly hasEnded: boolean;
}

export interface StepsOptions extends TranslatorOptions {
  /** When the run was started. Default: the time of its first record. */
  startedAt?: string | undefined;
}

/** What is known of the end of a run whose exit record is missing. The sidecar of a recording has these fields. */
export interface KnownEnd {
  outcome?: Outcome;
  exitCode?: number | null;
  signal?: string;
  endedAt?: string;
  /** Why the recording is incomplete. */
  problem?: string;
}

export function createSteps(agent: TranslatedAgent, options: StepsOptions = {}): Steps {
  const { startedAt, ...translatorOptions } = options;
  const translator = createFramedTranslator(agent, translatorOptions);
  let hasStarted = false;
  let hasEnded = false;

  function start(at: string | undefined): Step[] {
    if (hasStarted) return [];
    hasStarted = true;
    return [{ events: translator.start(startedAt ?? at) }];
  }

  function push(record: RawRecord): Step {
    const events = translator.record(record);
    if (record.stream === "exit") hasEnded = true;
    if (events.length > 0 || translator.lastRule === undefined) return { record, events };
    return { record, events, rule: translator.lastRule };
  }

  return {
    start,
    push,
    pushAll(records) {
      const [first] = records;
      if (first === undefined && startedAt === undefined) return [];
      const steps = start(first?.timestamp);
      for (const record of records) steps.push(push(record));
      return steps;
    },
    end(ended, at) {
      hasEnded = true;
      return { events: translator.end(ended, at) };
    },
    interrupted(known = {}) {
      if (hasEnded) return [];
      hasEnded = true;
      return [{ events: endWithoutExit(translator, known) }];
    },
    get hasEnded() {
      return hasEnded;
    },
    get isDone() {
      return translator.isDone;
    },
    get openWork() {
      return translator.openWork;
    },
    get agentVersion() {
      return translator.agentVersion;
    },
    get price() {
      return translator.price;
    },
  };
}

const reasons: ReadonlySet<unknown> = new Set(exitReasons);

/** The outcome that a sidecar has. Sidecars can be damaged or written by hand, so only known exit reasons count. */
export function knownOutcome({ outcome }: Pick<KnownEnd, "outcome">): Outcome | undefined {
  return reasons.has(outcome?.reason) ? outcome : undefined;
}

/**
 * The last events of a recording without an exit record. If the sidecar has the outcome (the disk was full), the run ends
 * with that, after a warning. Otherwise the run was interrupted.
 */
function endWithoutExit(translator: Translator, known: KnownEnd): Step["events"] {
  const { exitCode = null, signal, problem, endedAt: timestamp = "" } = known;
  const outcome = knownOutcome(known);
  if (outcome === undefined) return translator.end({ exitCode: null, reason: "interrupted" });
  const message = problem ?? "the recording stops before the run did";
  const notice: RawRecord = { timestamp, stream: "harness", code: "recording_failed", message };
  const ended: Ended = { exitCode, outcome, ...(signal !== undefined && { signal }) };
  return [...translator.record(notice), ...translator.end(ended, timestamp)];
}
