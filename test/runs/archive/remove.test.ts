import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { temporaryDirectory } from "../test-agent.js";
import { metaOf, recordCapture, unendedMeta, writeRecording } from "./recordings.js";

const running = { harness: { pid: process.pid } };

describe("removing", () => {
  it("leaves nothing of a recording, and everything of the others", async () => {
    const directory = temporaryDirectory();
    writeRecording(directory, metaOf({ runId: "a" }));
    writeRecording(directory, metaOf({ runId: "ab" }));
    expect(await recordings.remove("a", { directory })).toEqual(["a"]);
    expect(readdirSync(directory).sort()).toEqual(["ab", "ab.meta.json", "ab.ndjson"]);
  });

  it("takes several, each once, by the beginning of their ids", async () => {
    const directory = temporaryDirectory();
    for (const runId of ["one", "two", "three"]) writeRecording(directory, metaOf({ runId }));
    expect(await recordings.remove(["on", "one", "tw"], { directory })).toEqual(["one", "two"]);
    expect((await recordings.list({ directory })).map(({ id }) => id)).toEqual(["three"]);
  });

  it("removes nothing when one of them is not there, or is running", async () => {
    const directory = temporaryDirectory();
    writeRecording(directory, metaOf({ runId: "one" }));
    writeRecording(directory, unendedMeta({ runId: "live", ...running }));
    await expect(recordings.remove(["one", "two"], { directory })).rejects.toMatchObject({
      code: "unknown_session",
    });
    await expect(recordings.remove(["one", "live"], { directory })).rejects.toThrow(
      `live is still running (process ${process.pid}); stop it before you remove its recording`,
    );
    expect(await recordings.list({ directory })).toHaveLength(2);
  });

  it("never takes a folder above for a recording, whatever a file is called", async () => {
    const parent = temporaryDirectory();
    const directory = join(parent, "sessions");
    writeRecording(directory, metaOf({ runId: "one" }));
    for (const name of ["...meta.json", "..meta.json", ".meta.json"])
      writeFileSync(join(directory, name), "{}");
    for (const id of ["..", ".", ""])
      await expect(recordings.remove(id, { directory })).rejects.toMatchObject({ code: "unknown_session" });
    expect(existsSync(join(directory, "one.meta.json"))).toBe(true);
    expect((await recordings.list({ directory })).map(({ id }) => id)).toEqual(["one"]);
  });

  it("removes what cannot be read, too", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "torn.meta.json"), "{");
    await recordings.remove("torn", { directory });
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe("pruning", () => {
  it("removes what is older, but nothing that is running, and says how much it was", async () => {
    const directory = temporaryDirectory();
    const old = recordCapture(directory, "claude", "text", { startedAt: "2026-01-01T00:00:00.000Z" });
    const young = writeRecording(directory, metaOf({ startedAt: "2026-11-01T00:00:00.000Z" }));
    const live = writeRecording(
      directory,
      unendedMeta({ startedAt: "2026-01-02T00:00:00.000Z", ...running }),
    );
    const before = new Date("2026-06-01T00:00:00.000Z");

    const preview = await recordings.prune({ directory, before, dryRun: true });
    expect(preview.sessions.map(({ id }) => id)).toEqual([old]);
    expect(preview.bytes).toBeGreaterThan(1000);
    expect(existsSync(join(directory, old))).toBe(true);

    expect(await recordings.prune({ directory, before })).toEqual(preview);
    expect((await recordings.list({ directory })).map(({ id }) => id)).toEqual([young, live]);
    expect(existsSync(join(directory, old))).toBe(false);
    expect(await recordings.prune({ directory, before })).toEqual({ sessions: [], bytes: 0 });
  });
});
