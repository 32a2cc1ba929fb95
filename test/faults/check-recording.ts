import { readFileSync } from "node:fs";
import type { AgentDefinition } from "../../src/agents/definition.js";
import type { HarnessEvent } from "../../src/events/event.js";
import type { RawRecord } from "../../src/events/raw-record.js";
import { formats } from "../../src/outputs/formats.js";
import { readMeta } from "../../src/runs/recording/meta.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { readRecordedEnd } from "../../src/runs/recording/recorded-outcome.js";
import { replayOptionsOf, replayRecording } from "../../src/runs/recording/replay.js";
import { toNdjson } from "../../src/text/to-json.js";

/** What there is of a recording. */
export interface CheckedRecording {
  state: "running" | "interrupted" | "ended";
  records: RawRecord[];
  /** What a replay gives. */
  events: HarnessEvent[];
  problems: string[];
}

/**
 * Reads a recording as its reader would: its sidecar is whole, its records replay, and the other files are
 * what the replay gives, or the beginning of it, to the byte.
 */
export async function checkRecording(
  sessions: string,
  runId: string,
  agent: AgentDefinition,
): Promise<CheckedRecording> {
  const paths = recordingPaths(sessions, runId);
  const meta = readMeta(paths.meta);
  const { outcome } = readRecordedEnd(meta, paths);
  const state = outcome === "running" || outcome === "interrupted" ? outcome : "ended";
  const records: RawRecord[] = [];
  const all: HarnessEvent[] = [];
  const views = { events: formats.events.create(), ndjson: formats.ndjson.create() };
  const replayed = { events: "", ndjson: "" };
  const options = { ...replayOptionsOf(meta), completes: false };
  for await (const steps of replayRecording(agent, paths.raw, options)) {
    for (const { record, events } of steps) {
      if (record !== undefined) records.push(record);
      all.push(...events);
      replayed.events += toNdjson(views.events.push(events));
      replayed.ndjson += toNdjson(views.ndjson.push(events));
    }
  }
  const problems = (["events", "ndjson"] as const).flatMap((name) => {
    const written = readIfThere(paths[name]);
    const whole = Buffer.from(replayed[name]);
    if (!whole.subarray(0, written.length).equals(written)) return [`${name} is not what the replay gives`];
    // A disk that has filled up may have had room for the raw lines of a batch, and not for what they gave.
    const isAll = meta.outcome !== undefined && meta.problem === undefined;
    return isAll && written.length < whole.length ? [`${name} is not whole`] : [];
  });
  const damaged = records.some(
    (record) => record.stream === "harness" && record.code === "damaged_recording",
  );
  return { state, records, events: all, problems: damaged ? [...problems, "a record is damaged"] : problems };
}

/** The lines that the agent said, as numbers; -1 for anything else. */
export function numbersSaid(records: readonly RawRecord[]): number[] {
  return records.flatMap((record) => {
    if (record.stream !== "stdout" || record.newline === false) return [];
    const number = /^\{"type":"say","text":"(\d+)"\}$/.exec(record.line ?? "")?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

/** Killed before it could open a file, a harness leaves none. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
