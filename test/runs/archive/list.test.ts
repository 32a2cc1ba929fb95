import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ListOptions, recordings } from "../../../src/runs/archive/recordings.js";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { temporaryDirectory } from "../test-agent.js";
import { idAt, metaOf, unendedMeta, writeRecording } from "./recordings.js";

async function idsOf(directory: string, options: ListOptions = {}): Promise<string[]> {
  const found = await recordings.list({ directory, ...options });
  return found.map(({ id }) => id);
}

const day = (number: number): string => `2026-11-${String(number).padStart(2, "0")}T10:00:00.000Z`;

describe("the list", () => {
  it("is empty where nothing was recorded yet", async () => {
    expect(await idsOf(join(temporaryDirectory(), "nowhere"))).toEqual([]);
  });

  it("has the newest first, ids that people chose among them", async () => {
    const directory = temporaryDirectory();
    const ids = [3, 1, 4, 2].map((number) => writeRecording(directory, metaOf({ startedAt: day(number) })));
    const chosen = writeRecording(
      directory,
      metaOf({ runId: "my-run", startedAt: "2026-11-02T12:00:00.000Z" }),
    );
    const [third, first, fourth, second] = ids;
    expect(await idsOf(directory)).toEqual([fourth, third, chosen, second, first]);
  });

  it("opens no more sidecars than it needs", async () => {
    const directory = temporaryDirectory();
    const ids = [1, 2, 3, 4, 5].map((number) =>
      writeRecording(directory, metaOf({ startedAt: day(number) })),
    );
    for (const id of ids.slice(0, 3)) writeFileSync(recordingPaths(directory, id).meta, "damaged");
    const opened: string[] = [];
    const onUnreadable = (id: string): void => void opened.push(id);
    expect(await idsOf(directory, { limit: 2, onUnreadable })).toEqual([ids[4], ids[3]]);
    expect(await idsOf(directory, { since: new Date(day(4)), onUnreadable })).toEqual([ids[4], ids[3]]);
    expect(opened).toEqual([]);
    expect(await idsOf(directory, { onUnreadable })).toEqual([ids[4], ids[3]]);
    expect(opened).toEqual([ids[2], ids[1], ids[0]]);
  });

  it.each([
    "",
    "null",
    "[]",
    "{}",
    '{"runId":1}',
    '{"runId":"a","agent":"b","cwd":"c","prompt":"d","startedAt":"e"}',
  ])("passes a sidecar over that is %j", async (text) => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, `${idAt(day(1))}.meta.json`), text);
    const id = writeRecording(directory, metaOf({ startedAt: day(2) }));
    expect(await idsOf(directory)).toEqual([id]);
  });

  it("distinguishes running from interrupted by the process that records", async () => {
    const directory = temporaryDirectory();
    writeRecording(directory, unendedMeta({ startedAt: day(1), harness: { pid: process.pid } }));
    writeRecording(directory, unendedMeta({ startedAt: day(2), harness: { pid: 2 ** 22 + 1 } }));
    writeRecording(
      directory,
      metaOf({ startedAt: day(3), outcome: { isSuccess: false, reason: "stalled" } }),
    );
    const found = await recordings.list({ directory });
    expect(found.map(({ outcome }) => outcome)).toEqual(["stalled", "interrupted", "running"]);
  });

  it("is filtered by agent, outcome and time", async () => {
    const directory = temporaryDirectory();
    const a = writeRecording(directory, metaOf({ startedAt: day(1), agent: "codex" }));
    const b = writeRecording(
      directory,
      metaOf({ startedAt: day(2), outcome: { isSuccess: false, reason: "failed" } }),
    );
    const c = writeRecording(directory, metaOf({ startedAt: day(3) }));
    expect(await idsOf(directory, { agent: "codex" })).toEqual([a]);
    expect(await idsOf(directory, { outcome: "failed" })).toEqual([b]);
    expect(await idsOf(directory, { outcome: ["failed", "completed"] })).toEqual([c, b, a]);
    expect(await idsOf(directory, { since: new Date(day(2)) })).toEqual([c, b]);
    expect(await idsOf(directory, { before: new Date(day(2)) })).toEqual([a]);
    expect(await idsOf(directory, { limit: 0 })).toEqual([]);
  });

  it("is filtered by directory: that one and those below it, through links too", async () => {
    const directory = temporaryDirectory();
    const project = join(realpathSync(temporaryDirectory()), "app");
    mkdirSync(project);
    const link = join(directory, "link");
    symlinkSync(project, link);
    const inside = writeRecording(
      directory,
      metaOf({ startedAt: day(1), cwd: join(project, "packages", "a") }),
    );
    const exactly = writeRecording(directory, metaOf({ startedAt: day(2), cwd: project }));
    writeRecording(directory, metaOf({ startedAt: day(3), cwd: `${project}-other` }));
    expect(await idsOf(directory, { cwd: project })).toEqual([exactly, inside]);
    expect(await idsOf(directory, { cwd: link })).toEqual([exactly, inside]);
    expect(await idsOf(directory, { cwd: "/" })).toHaveLength(3);
  });
});
