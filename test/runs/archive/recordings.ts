import { mkdirSync, writeFileSync } from "node:fs";
import { createFramedTranslator } from "../../../src/agents/frame/frame.js";
import { findAgent } from "../../../src/agents/registry.js";
import type { RawRecord } from "../../../src/events/raw-record.js";
import type { RecordingMeta } from "../../../src/events/recording-meta.js";
import { formats } from "../../../src/outputs/formats.js";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { toNdjson } from "../../../src/text/to-json.js";
import { readCapture, recordsOf } from "../../support/captures.js";

/** The id of a run that was started at this time (UTC). */
export function idAt(time: string, end = "00abcd"): string {
  const digits = new Date(time).toISOString().replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${end}`;
}

/** The sidecar of a run that completed. */
export function metaOf(changes: Partial<RecordingMeta> = {}): RecordingMeta {
  const startedAt = changes.startedAt ?? "2026-11-15T10:00:00.000Z";
  return {
    runId: idAt(startedAt),
    agent: "claude",
    cwd: "/repo",
    prompt: "Fix it",
    argv: ["claude"],
    envNames: [],
    permissions: "full-access",
    startedAt,
    endedAt: new Date(Date.parse(startedAt) + 1500).toISOString(),
    outcome: { isSuccess: true, reason: "completed" },
    exitCode: 0,
    ...changes,
  };
}

/** One that has no end yet. */
export function unendedMeta(changes: Partial<RecordingMeta> = {}): RecordingMeta {
  const { endedAt, outcome, exitCode, ...meta } = metaOf(changes);
  return meta;
}

/** Writes the files of a recording, as a recorder does. */
export function writeRecording(
  directory: string,
  meta: RecordingMeta,
  records: readonly RawRecord[] = [],
): string {
  const paths = recordingPaths(directory, meta.runId);
  mkdirSync(paths.folder, { recursive: true });
  writeFileSync(paths.meta, JSON.stringify(meta));
  writeFileSync(paths.raw, toNdjson(records));
  writeFileSync(paths.ndjson, "");
  writeFileSync(paths.events, toNdjson(eventsOf(meta, records)));
  return meta.runId;
}

function eventsOf(meta: RecordingMeta, records: readonly RawRecord[]): unknown[] {
  const agent = findAgent(meta.agent);
  if (agent === undefined) return [];
  const translator = createFramedTranslator(agent, { runId: meta.runId, cwd: meta.cwd });
  const view = formats.events.create();
  return [translator.start(meta.startedAt), ...records.map((record) => translator.record(record))].flatMap(
    (events) => view.push(events),
  );
}

/** A real capture as a recording: one line each 100 ms. */
export function recordCapture(
  directory: string,
  agent: string,
  scenario: string,
  changes: Partial<RecordingMeta> = {},
): string {
  const capture = readCapture(agent, scenario);
  const meta = metaOf({ agent, cwd: capture.cwd, ...changes });
  return writeRecording(directory, meta, timed(recordsOf(capture), meta.startedAt));
}

export function timed(records: readonly RawRecord[], startedAt: string): RawRecord[] {
  const start = Date.parse(startedAt);
  return records.map((record, index) => ({
    ...record,
    timestamp: new Date(start + (index + 1) * 100).toISOString(),
  }));
}
