import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RawRecord } from "../../../src/events/raw-record.js";
import type { ProcessIdentity } from "../../../src/events/recording-meta.js";
import { createRunId } from "../../../src/events/run-id.js";
import { formats } from "../../../src/outputs/formats.js";
import { readMeta } from "../../../src/runs/recording/meta.js";
import { defaultRecordingsDirectory, recordingPaths } from "../../../src/runs/recording/paths.js";
import { readRecording } from "../../../src/runs/recording/read-recording.js";
import { readRecordedEnd } from "../../../src/runs/recording/recorded-outcome.js";
import { replayOptionsOf, replayRecording } from "../../../src/runs/recording/replay.js";
import type { Task } from "../../../src/runs/task.js";
import { toNdjson } from "../../../src/text/to-json.js";
import { type Finished, finish, ofType, temporaryDirectory, testAgent } from "../test-agent.js";

function pathsOf({ sessions, run }: Finished) {
  return recordingPaths(sessions, run.runId);
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

describe("a recording", () => {
  it("has its files, for their owner only", async () => {
    const finished = await finish("talk", {
      sessionsDirectory: join(temporaryDirectory(), "data", "sessions"),
    });
    const paths = pathsOf(finished);
    expect(readdirSync(finished.sessions).sort()).toEqual([
      finished.run.runId,
      `${finished.run.runId}.meta.json`,
      `${finished.run.runId}.ndjson`,
    ]);
    for (const path of [paths.raw, paths.events, paths.ndjson, paths.meta]) expect(modeOf(path)).toBe(0o600);
    for (const path of [paths.folder, finished.sessions]) expect(modeOf(path)).toBe(0o700);
  });

  it("tells in its sidecar what was asked for and how it went, without the value of a variable", async () => {
    const task: Partial<Task> = {
      env: { SECRET: "hush-hush" },
      model: "m-0",
      resume: "s-0",
      agentVersion: "1.2.3",
    };
    const finished = await finish("talk", task);
    const paths = pathsOf(finished);
    expect(readMeta(paths.meta)).toEqual({
      runId: finished.run.runId,
      agent: "test",
      agentVersion: "1.2.3",
      versionAtStart: "1.2.3",
      model: "m-1",
      cwd: process.cwd(),
      prompt: "do it",
      argv: [expect.stringMatching(/programs\/talk$/)],
      envNames: ["SECRET"],
      permissions: "full-access",
      resume: "s-0",
      startedAt: expect.stringMatching(/Z$/),
      endedAt: expect.stringMatching(/Z$/),
      outcome: { isSuccess: true, reason: "completed" },
      exitCode: 0,
      sessionId: "s-1",
      usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7, scope: "session" },
      durationMs: expect.any(Number),
      counts: { started: 1, session: 1, agent: 2, unknown: 2, warning: 1, usage: 1, result: 1, exited: 1 },
    });
    expect(readRecordedEnd(readMeta(paths.meta), paths).outcome).toBe("completed");
    for (const path of [paths.raw, paths.events, paths.ndjson, paths.meta]) {
      expect(readFileSync(path, "utf8")).not.toContain("hush-hush");
    }
  });

  it("goes to another directory as well when asked to, replacing what is there", async () => {
    const recordTo = join(temporaryDirectory(), "copy");
    mkdirSync(recordTo);
    writeFileSync(join(recordTo, "raw.jsonl"), "old\n", { mode: 0o644 });
    const finished = await finish("talk", { recordTo });
    const paths = pathsOf(finished);
    expect(readFileSync(join(recordTo, "raw.jsonl"), "utf8")).toBe(readFileSync(paths.raw, "utf8"));
    expect(readFileSync(join(recordTo, "events.jsonl"), "utf8")).toBe(readFileSync(paths.events, "utf8"));
    expect(modeOf(join(recordTo, "raw.jsonl"))).toBe(0o600);
  });

  it("is not made when it is not wanted", async () => {
    const finished = await finish("talk", { log: false });
    expect(readdirSync(finished.sessions)).toEqual([]);
    expect(finished.result).not.toHaveProperty("recording");
    expect(finished.run.recording).toBeUndefined();
  });
});

describe("replaying gives the same again, byte for byte", () => {
  it.each<[string, Partial<Task>]>([
    ["talk", {}],
    ["talk", { resume: "s-0", agentVersion: "1.0" }],
    ["exit-with", { extraArgs: ["3"] }],
    ["die-by", { extraArgs: ["KILL"] }],
    ["linger", { graceMs: 200 }],
    ["linger-after-fatal", { graceMs: 200 }],
    ["half-line", { timeoutMs: 300, silenceMs: 100 }],
    ["flood.mjs", { extraArgs: ["2000"], maxLineBytes: 900 }],
    ["flood.mjs", { extraArgs: ["2000"], recordTo: "/dev/null/nowhere" }],
    ["talk", { binary: undefined }],
    ["talk", { signal: AbortSignal.abort() }],
  ])("%s %o", async (name, task) => {
    const finished = await finish(name, task);
    const paths = pathsOf(finished);
    const views = {
      events: formats.events.create(),
      ndjson: formats.ndjson.create(),
      full: formats.full.create(),
    };
    const text = { events: "", ndjson: "", full: "" };
    for await (const steps of replayRecording(testAgent, paths.raw, replayOptionsOf(readMeta(paths.meta)))) {
      for (const step of steps) {
        text.events += toNdjson(views.events.push(step.events));
        text.ndjson += toNdjson(views.ndjson.push(step.events));
        text.full += toNdjson(views.full.push(step.events));
      }
    }
    expect(text.full).toBe(toNdjson(finished.events));
    expect(text.events).toBe(readFileSync(paths.events, "utf8"));
    expect(text.ndjson).toBe(readFileSync(paths.ndjson, "utf8"));
  });
});

describe("a disk that refuses never stops the run", () => {
  it("a sessions directory that cannot be made", async () => {
    const blocked = join(temporaryDirectory(), "file");
    writeFileSync(blocked, "");
    const { result, events } = await finish("talk", { sessionsDirectory: join(blocked, "sessions") });
    expect(result).toMatchObject({ isSuccess: true, text: "all good" });
    expect(result).not.toHaveProperty("recording");
    expect(ofType(events, "warning").filter((event) => event.code === "recording_failed")).toHaveLength(1);
  });

  it.runIf(existsSync("/dev/full"))("a disk that is full", async () => {
    const recordTo = temporaryDirectory();
    symlinkSync("/dev/full", join(recordTo, "raw.jsonl"));
    const finished = await finish("flood.mjs", { extraArgs: ["3000"], recordTo });
    const warnings = ofType(finished.events, "warning");
    expect(warnings).toEqual([
      expect.objectContaining({ code: "recording_failed", message: expect.stringContaining("ENOSPC") }),
    ]);
    expect(finished.result).toMatchObject({ isSuccess: true, recording: pathsOf(finished).ndjson });
    expect(modeOf("/dev/full")).toBe(0o666);
  });
});

describe("reading", () => {
  const timestamp = "2026-01-02T03:04:05.678Z";
  const line = `{"timestamp":"${timestamp}","stream":"stdout","line":"{\\"type\\":\\"say\\",\\"text\\":\\"a\\"}"}\n`;

  async function read(text: string): Promise<RawRecord[]> {
    const path = join(temporaryDirectory(), "raw.jsonl");
    writeFileSync(path, text);
    const records: RawRecord[] = [];
    for await (const batch of readRecording(path)) records.push(...batch);
    return records;
  }

  it("leaves a torn last line out, wherever it is torn", async () => {
    for (let length = 0; length < line.length - 1; length += 7) {
      expect(await read(line + line.slice(0, length))).toHaveLength(1);
    }
    expect(await read(line + line.slice(0, -1))).toHaveLength(2);
  });

  it("tells of a damaged line in the middle", async () => {
    const records = await read(`${line}{"timestamp\n[]\n${line}`);
    expect(records.map((record) => record.stream)).toEqual(["stdout", "harness", "harness", "stdout"]);
    expect(records[1]).toMatchObject({
      code: "damaged_recording",
      timestamp,
      message: expect.stringContaining("line 2"),
    });
  });

  it("a recording without an end is interrupted, and can be left so", async () => {
    const path = join(temporaryDirectory(), "raw.jsonl");
    writeFileSync(path, line);
    async function typesOf(completes: boolean): Promise<string[]> {
      const types: string[] = [];
      for await (const steps of replayRecording(testAgent, path, { completes })) {
        for (const step of steps) types.push(...step.events.map((event) => event.type));
      }
      return types;
    }
    expect(await typesOf(false)).toEqual(["started", "agent"]);
    expect(await typesOf(true)).toEqual(["started", "agent", "error", "result", "exited"]);
  });

  it("tells running from interrupted by the process, not only by its number", () => {
    const paths = recordingPaths(temporaryDirectory(), "r");
    const outcomeOf = (harness?: ProcessIdentity): string =>
      readRecordedEnd({ ...bareMeta, ...(harness && { harness }) }, paths).outcome;
    expect(outcomeOf({ pid: process.pid })).toBe("running");
    expect(outcomeOf({ pid: process.pid, started: "another boot:1" })).toBe("interrupted");
    expect(outcomeOf({ pid: 2 ** 22 + 1 })).toBe("interrupted");
    expect(outcomeOf()).toBe("interrupted");
  });

  const bareMeta = {
    runId: "r",
    agent: "test",
    cwd: "/",
    prompt: "",
    argv: [],
    envNames: [],
    permissions: "full-access",
    startedAt: timestamp,
  };
});

it("sessions are kept where XDG says, or in the home directory", () => {
  expect(defaultRecordingsDirectory({ XDG_DATA_HOME: "/data" })).toBe("/data/harness/sessions");
  expect(defaultRecordingsDirectory({ XDG_DATA_HOME: "relative" })).toMatch(
    /\/\.local\/share\/harness\/sessions$/,
  );
  expect(defaultRecordingsDirectory({})).toMatch(/\/\.local\/share\/harness\/sessions$/);
});

it("run ids sort by time and differ", () => {
  const times = [0, 1, 999, 1000, 61_000].map((ms) => new Date(Date.UTC(2026, 10, 15, 19, 13, 2) + ms));
  const ids = times.map((time) => createRunId(time));
  expect(ids[0]).toMatch(/^20261115-191302-00[0-9a-z]{4}$/);
  expect([...ids].sort()).toEqual(ids);
  const many = new Set(Array.from({ length: 100 }, () => createRunId(times[0])));
  expect(many.size).toBe(100);
});
