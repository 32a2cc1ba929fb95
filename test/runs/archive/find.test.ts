import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { temporaryDirectory } from "../test-agent.js";
import { metaOf, writeRecording } from "./recordings.js";

function directoryWith(...ids: string[]): string {
  const directory = temporaryDirectory();
  for (const [index, runId] of ids.entries())
    writeRecording(
      directory,
      metaOf({ runId, startedAt: new Date(Date.UTC(2026, 10, 1, index)).toISOString() }),
    );
  return directory;
}

async function find(directory: string, id: string): Promise<string> {
  return (await recordings.find(id, { directory })).id;
}

describe("a recording is found", () => {
  it("by its id, by the only id that begins so, and as the last", async () => {
    const directory = directoryWith("20261115-191302-aaaaaa", "20261115-191302-bbbbbb", "other");
    expect(await find(directory, "20261115-191302-aaaaaa")).toBe("20261115-191302-aaaaaa");
    expect(await find(directory, "20261115-191302-b")).toBe("20261115-191302-bbbbbb");
    expect(await find(directory, "o")).toBe("other");
    expect(await find(directory, "last")).toBe("20261115-191302-bbbbbb");
  });

  it("by its whole id even when another begins with it", async () => {
    const directory = directoryWith("run", "run-2", "last");
    expect(await find(directory, "run")).toBe("run");
    expect(await find(directory, "last")).toBe("last");
  });
});

describe("it is an error that says what to do", () => {
  it("when the beginning is that of several", async () => {
    const directory = directoryWith("run-1", "run-2", "other");
    await expect(find(directory, "run")).rejects.toThrow(
      '2 ids begin with "run"; give more of the id:\n  run-2  claude, completed\n  run-1  claude, completed',
    );
    const many = directoryWith(
      ...Array.from({ length: 10 }, (_none, index) => `run-${index}`),
      "run-x",
      "run-y",
    );
    await expect(find(many, "run")).rejects.toThrow(/\n {2}and 2 more$/);
  });

  it("when there is none, or none at all", async () => {
    const directory = directoryWith("first-run");
    await expect(find(directory, "frist-run")).rejects.toThrow(
      'no recording has the id "frist-run"; did you mean "first-run"? (`harness sessions list` shows all ids)',
    );
    await expect(find(directory, "")).rejects.toThrow('no recording has the id ""');
    const empty = temporaryDirectory();
    await expect(find(empty, "last")).rejects.toThrow(`there is no recording in ${empty} yet`);
    await expect(find(empty, "x")).rejects.toThrow(`there is none in ${empty}`);
  });

  it("when it names a file outside of the recordings", async () => {
    const directory = directoryWith("a");
    writeFileSync(join(directory, "..", "outside.meta.json"), "{}");
    await expect(find(directory, "../outside")).rejects.toMatchObject({ code: "unknown_session" });
  });

  it("when its sidecar is damaged", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "torn.meta.json"), '{"runId":"to');
    await expect(find(directory, "torn")).rejects.toMatchObject({ code: "unreadable_recording" });
  });
});
