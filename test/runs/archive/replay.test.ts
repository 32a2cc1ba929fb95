import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { HarnessEvent } from "../../../src/events/event.js";
import type { Step } from "../../../src/events/step.js";
import { formats } from "../../../src/outputs/formats.js";
import { type Clock, paceSteps } from "../../../src/runs/archive/pace.js";
import { readEventsFile } from "../../../src/runs/archive/read-events-file.js";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { toNdjson } from "../../../src/text/to-json.js";
import { collect, temporaryDirectory, testAgent } from "../test-agent.js";
import { metaOf, recordCapture, unendedMeta, writeRecording } from "./recordings.js";

describe("a recording is played again", () => {
  it("with the events of the run, read at once or as they come", async () => {
    const directory = temporaryDirectory();
    const id = recordCapture(directory, "claude", "subagent");
    const { events, outcome } = await recordings.read(id, { directory });
    expect(outcome).toBe("completed");
    expect(await collect(await recordings.replay(id, { directory }))).toEqual(events);
    const view = formats.events.create();
    const written = readFileSync(recordingPaths(directory, id).events, "utf8");
    expect(toNdjson(events.flatMap((event) => view.push([event])))).toBe(written);
  });

  it("with the native lines", async () => {
    const directory = temporaryDirectory();
    const id = recordCapture(directory, "codex", "patch");
    const lines: unknown[] = [];
    for await (const steps of (await recordings.replay(id, { directory })).batches())
      for (const step of steps) lines.push(step.record);
    const raw = readFileSync(recordingPaths(directory, id).raw, "utf8").trim().split("\n");
    expect(lines.slice(1)).toEqual(raw.map((line) => JSON.parse(line)));
  });

  it("as interrupted when its end is missing, and without an end while it is running", async () => {
    const directory = temporaryDirectory();
    const id = recordCapture(directory, "claude", "text", {});
    const { raw, meta } = recordingPaths(directory, id);
    truncateSync(raw, statSync(raw).size - 40);
    writeRecordingMeta(meta, unendedMeta());
    const interrupted = await recordings.read(id, { directory });
    expect(interrupted.outcome).toBe("interrupted");
    expect(interrupted.events.at(-1)).toMatchObject({ type: "exited", reason: "interrupted" });
    writeRecordingMeta(meta, unendedMeta({ harness: { pid: process.pid } }));
    const running = await recordings.read(id, { directory });
    expect(running.outcome).toBe("running");
    expect(running.events.at(-1)?.type).not.toBe("exited");
  });

  it("only by an agent that is known, or given", async () => {
    const directory = temporaryDirectory();
    const id = writeRecording(directory, metaOf({ agent: "test" }));
    await expect(recordings.read(id, { directory })).rejects.toThrow(
      'a run of the agent "test", which is not known',
    );
    const { events } = await recordings.read(id, { directory, agent: testAgent });
    expect(events[0]).toMatchObject({ type: "started", agent: "test" });
  });

  it("to the end that its sidecar knows, when the disk had no room for the rest", async () => {
    const directory = temporaryDirectory();
    const failure = { kind: "auth" as const, message: "no key" };
    for (const outcome of [
      { isSuccess: true, reason: "completed" as const },
      { isSuccess: false, reason: "failed" as const, failure },
    ]) {
      const runId = `run-${outcome.reason}`;
      const meta = metaOf({ agent: "test", runId, outcome, exitCode: 0, problem: "no room" });
      const id = writeRecording(directory, meta);
      const { events } = await recordings.read(id, { directory, agent: testAgent });
      expect(events.find(({ type }) => type === "warning")).toMatchObject({ message: "no room" });
      expect(events.at(-2)).toMatchObject({ type: "result", isSuccess: outcome.isSuccess });
      expect(events.at(-1)).toMatchObject({ type: "exited", exitCode: 0, reason: outcome.reason });
    }
  });

  it("as its events were recorded, when its agent is not known", async () => {
    const directory = temporaryDirectory();
    const id = recordCapture(directory, "claude", "text");
    const { meta } = recordingPaths(directory, id);
    writeFileSync(meta, JSON.stringify({ ...JSON.parse(readFileSync(meta, "utf8")), agent: "unknown" }));
    await expect(recordings.read(id, { directory })).rejects.toMatchObject({ code: "unknown_agent" });
    const options = { directory, asRecorded: true };
    const { events } = await recordings.read(id, options);
    expect(events[0]).toMatchObject({ type: "started", agent: "unknown" });
    expect(events.at(-1)).toMatchObject({ type: "exited", reason: "completed" });
    expect(await collect(await recordings.replay(id, options))).toEqual(events);
    expect(await recordings.export(id, { ...options, format: "markdown" })).toContain("unknown");
  });

  it("not when its files are gone, which is reported", async () => {
    const directory = temporaryDirectory();
    const id = recordCapture(directory, "claude", "text");
    rmSync(recordingPaths(directory, id).raw);
    await expect(recordings.read(id, { directory })).rejects.toThrow(
      new RegExp(`^the recording ${id} cannot be read: ENOENT.*; only its sidecar is left$`),
    );
  });

  it("at no other speed than one above 0", async () => {
    const directory = temporaryDirectory();
    const id = recordCapture(directory, "claude", "text");
    for (const speed of [0, -1, Number.NaN])
      await expect(recordings.replay(id, { directory, speed })).rejects.toMatchObject({ code: "bad_speed" });
  });
});

describe("what was written can be read without its agent", () => {
  it("and damaged lines are left out", async () => {
    const directory = temporaryDirectory();
    const id = recordCapture(directory, "claude", "files");
    const { events: path } = recordingPaths(directory, id);
    const whole = readFileSync(path, "utf8");
    truncateSync(path, statSync(path).size - 10);
    const read: unknown[] = [];
    for await (const events of readEventsFile(path)) read.push(...events);
    expect(read).toHaveLength(whole.trim().split("\n").length - 1);
  });
});

describe("pacing", () => {
  const start = Date.parse("2026-01-01T00:00:00.000Z");

  function stepAt(offset: number): Step {
    const timestamp = new Date(start + offset).toISOString();
    return { record: { timestamp, stream: "stdout", line: String(offset) }, events: [] };
  }

  /** A clock that is moved by those who wait for it. */
  function createClock(): Clock & { waits: number[] } {
    let now = 5000;
    const waits: number[] = [];
    return {
      waits,
      now: () => now,
      async wait(milliseconds) {
        waits.push(milliseconds);
        now += milliseconds;
      },
    };
  }

  async function* inBatches(...batches: number[][]): AsyncGenerator<Step[]> {
    for (const offsets of batches) yield offsets.map(stepAt);
  }

  async function pace(
    batches: AsyncIterable<Step[]>,
    speed: number,
    clock: Clock,
    signal?: AbortSignal,
  ): Promise<string[][]> {
    const paced: string[][] = [];
    for await (const steps of paceSteps(batches, speed, signal, clock))
      paced.push(
        steps.map(({ record }) => (record !== undefined && "line" in record ? (record.line ?? "") : "")),
      );
    return paced;
  }

  it("keeps the pauses of the run, and gives together what came together", async () => {
    const clock = createClock();
    expect(await pace(inBatches([0, 0, 200, 200], [1200]), 1, clock)).toEqual([
      ["0", "0"],
      ["200", "200"],
      ["1200"],
    ]);
    expect(clock.waits).toEqual([200, 1000]);
  });

  it("divides them by the speed", async () => {
    const clock = createClock();
    await pace(inBatches([0, 200, 1200]), 10, clock);
    expect(clock.waits).toEqual([20, 100]);
  });

  it("makes up for a reader that is slow", async () => {
    const clock = createClock();
    const paced = paceSteps(inBatches([0, 100, 200, 300]), 1, undefined, clock);
    await paced.next();
    await clock.wait(250, undefined);
    clock.waits.length = 0;
    for await (const _steps of paced);
    expect(clock.waits).toEqual([50]);
  });

  it("makes no pause where times run backwards, and keeps those after it", async () => {
    const clock = createClock();
    await pace(inBatches([0, 500, 100, 600]), 1, clock);
    expect(clock.waits).toEqual([500, 500]);
  });

  it("ends when it is aborted, in the middle of a pause", async () => {
    const controller = new AbortController();
    const clock = createClock();
    const wait = clock.wait;
    clock.wait = async (milliseconds, signal) => {
      if (milliseconds > 500) controller.abort();
      else await wait(milliseconds, signal);
    };
    expect(await pace(inBatches([0, 100, 1000]), 1, clock, controller.signal)).toEqual([["0"], ["100"]]);
  });

  it("takes real time from the system's clock", async () => {
    const directory = temporaryDirectory();
    const id = recordCapture(directory, "claude", "text");
    const events: HarnessEvent[] = [];
    for await (const event of await recordings.replay(id, { directory, speed: 100 })) events.push(event);
    expect(events).toEqual((await recordings.read(id, { directory })).events);
  });
});

function writeRecordingMeta(path: string, meta: object): void {
  writeFileSync(path, JSON.stringify(meta));
}
