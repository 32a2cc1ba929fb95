import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { RecordingMeta } from "../../../src/events/recording-meta.js";
import { type RecordingPaths, recordingPaths } from "../../../src/runs/recording/paths.js";
import type { RecordedOutcome } from "../../../src/runs/recording/recorded-outcome.js";
import { metaOf, unendedMeta } from "../archive/recordings.js";

/** What a recording can look like on disk, and how its run ended. */
export interface EndCase {
  when: string;
  /** The one answer; `unreadable`: nobody may guess without the sidecar. */
  outcome: RecordedOutcome | "unreadable";
  /** What `raw.jsonl` says when nobody knows the sidecar. Left out: the same. */
  ofRawAlone?: RecordedOutcome;
  meta(changes: Partial<RecordingMeta>): RecordingMeta;
  /** Changes the files of a recording that is whole. */
  spoil?(paths: RecordingPaths): void;
}

const deadHarness = { pid: 2 ** 22 + 1 };
const aliveHarness = { pid: process.pid };
const openOfDead = (changes: Partial<RecordingMeta>) => unendedMeta({ ...changes, harness: deadHarness });
const openOfAlive = (changes: Partial<RecordingMeta>) => unendedMeta({ ...changes, harness: aliveHarness });

/** Changes the last line, which is the exit record. */
function changeExit(change: (line: string) => string): (paths: RecordingPaths) => void {
  return ({ raw }) => {
    const lines = readFileSync(raw, "utf8").trimEnd().split("\n");
    const exit = lines.pop() ?? "";
    writeFileSync(raw, [...lines, ""].join("\n") + change(exit));
  };
}

const withoutExit = changeExit(() => "");
const withReason = (reason: string) =>
  changeExit(
    (line) => `${JSON.stringify({ ...JSON.parse(line), reason, signal: "SIGTERM", exitCode: null })}\n`,
  );

export const endCases: readonly EndCase[] = [
  { when: "everything was written", outcome: "completed", meta: metaOf },
  { when: "the sidecar is open, the exit was recorded", outcome: "completed", meta: openOfDead },
  {
    when: "the sidecar is open, the exit was recorded, the harness lives on",
    outcome: "completed",
    meta: openOfAlive,
  },
  {
    when: "the sidecar is open, the exit of a cancelled run was recorded",
    outcome: "cancelled",
    meta: openOfDead,
    spoil: withReason("cancelled"),
  },
  {
    when: "the sidecar is open, the exit of a run that took too long was recorded",
    outcome: "timed_out",
    meta: openOfDead,
    spoil: withReason("timed_out"),
  },
  {
    when: "the exit record lacks no more than its line feed",
    outcome: "completed",
    meta: openOfDead,
    spoil: changeExit((line) => line),
  },
  {
    when: "the machine crashed and left zeros behind the exit record",
    outcome: "completed",
    meta: openOfDead,
    spoil: changeExit((line) => `${line}\n${"\0".repeat(300)}`),
  },
  { when: "there is no exit record", outcome: "interrupted", meta: openOfDead, spoil: withoutExit },
  {
    when: "nobody knows which harness it was, and there is no exit record",
    outcome: "interrupted",
    meta: unendedMeta,
    spoil: withoutExit,
  },
  {
    when: "the exit record is torn",
    outcome: "interrupted",
    meta: openOfDead,
    spoil: changeExit((line) => line.slice(0, -10)),
  },
  {
    when: "the last line is torn",
    outcome: "interrupted",
    meta: openOfDead,
    spoil: changeExit(() => '{"timestamp":"2026-11-15T10:00:01.000Z","stream":"stdout","li'),
  },
  {
    when: "the exit record has no reason",
    outcome: "interrupted",
    meta: openOfDead,
    spoil: changeExit((line) => `${line.replace(/,"reason":"[a-z]+"/, "")}\n`),
  },
  {
    when: "nothing was printed",
    outcome: "interrupted",
    meta: openOfDead,
    spoil: ({ raw }) => writeFileSync(raw, ""),
  },
  {
    when: "the sidecar has an end and no outcome, and there is no exit record",
    outcome: "interrupted",
    meta: (changes) => unendedMetaThatEnded(changes),
    spoil: withoutExit,
  },
  {
    when: "the disk was full: the sidecar tells a success",
    outcome: "completed",
    ofRawAlone: "interrupted",
    meta: (changes) => metaOf({ ...changes, problem: "there was no room" }),
    spoil: withoutExit,
  },
  {
    when: "the disk was full: the sidecar tells a failure",
    outcome: "failed",
    ofRawAlone: "interrupted",
    meta: (changes) =>
      metaOf({
        ...changes,
        problem: "there was no room",
        exitCode: 1,
        outcome: { isSuccess: false, reason: "failed", failure: { kind: "auth", message: "no key" } },
      }),
    spoil: withoutExit,
  },
  {
    when: "the run goes on",
    outcome: "running",
    ofRawAlone: "interrupted",
    meta: openOfAlive,
    spoil: withoutExit,
  },
  {
    when: "the run goes on, and its last line is half written",
    outcome: "running",
    ofRawAlone: "interrupted",
    meta: openOfAlive,
    spoil: changeExit((line) => line.slice(0, -10)),
  },
  {
    when: "the sidecar is damaged",
    outcome: "unreadable",
    ofRawAlone: "completed",
    meta: metaOf,
    spoil: ({ meta }) => writeFileSync(meta, '{"runId":"20'),
  },
  {
    when: "the sidecar is gone",
    outcome: "unreadable",
    ofRawAlone: "completed",
    meta: metaOf,
    spoil: ({ meta }) => rmSync(meta),
  },
];

function unendedMetaThatEnded(changes: Partial<RecordingMeta>): RecordingMeta {
  return { ...openOfDead(changes), endedAt: "2026-11-15T10:00:02.000Z" };
}

export function spoilRecording(directory: string, id: string, { spoil }: EndCase): void {
  spoil?.(recordingPaths(directory, id));
}
