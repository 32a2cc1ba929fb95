import type { Translator } from "../../agents/contract.js";
import type { HarnessEvent } from "../../events/event.js";
import { exitReasons } from "../../events/failure.js";
import type { RawRecord } from "../../events/raw-record.js";
import type { RecordingMeta } from "../../events/recording-meta.js";

/** What a sidecar says of the end of a run. */
export type ToldEnd = Pick<RecordingMeta, "outcome" | "exitCode" | "signal" | "endedAt" | "problem">;

const reasons: ReadonlySet<unknown> = new Set(exitReasons);

/** The outcome that a sidecar tells. Sidecars can be damaged or written by hand: only a reason that there is counts. */
export function toldOutcome({ outcome }: Pick<ToldEnd, "outcome">): ToldEnd["outcome"] {
  return reasons.has(outcome?.reason) ? outcome : undefined;
}

/**
 * The last events of a recording that has no exit record: as the sidecar tells the end (a disk was full), behind a warning,
 * else those of a run that was interrupted. Every reader of recordings ends them with this. `at`: the time of the last record.
 */
export function endWithoutExit(translator: Translator, told: ToldEnd = {}, at?: string): HarnessEvent[] {
  const { exitCode = null, signal, problem, endedAt = at } = told;
  const outcome = toldOutcome(told);
  if (outcome === undefined) return translator.end({ exitCode: null, reason: "interrupted" }, at);
  const message = problem ?? "the recording stops before the run did";
  const timestamp = endedAt ?? "";
  const notice: RawRecord = { timestamp, stream: "harness", code: "recording_failed", message };
  const ended = { exitCode, outcome, ...(signal !== undefined && { signal }) };
  return [...translator.record(notice), ...translator.end(ended, timestamp)];
}
