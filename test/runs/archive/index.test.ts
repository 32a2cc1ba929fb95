import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecordingMeta } from "../../../src/events/recording-meta.js";
import { readIndexFile } from "../../../src/runs/archive/index-file.js";
import { recordingIds } from "../../../src/runs/archive/recording-ids.js";
import { createRecordingIndex } from "../../../src/runs/archive/recording-index.js";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { temporaryDirectory } from "../test-agent.js";
import { idAt, metaOf, unendedMeta } from "./recordings.js";

const start = Date.parse("2026-01-01T00:00:00.000Z");
/** A short list reads so many sidecars rather than the index. */
const direct = 32;

/** Sidecars of finished runs, one a minute. */
function fill(
  directory: string,
  count: number,
  changes: (n: number) => Partial<RecordingMeta> = () => ({}),
): string[] {
  mkdirSync(directory, { recursive: true });
  return Array.from({ length: count }, (_none, n) => {
    const startedAt = new Date(start + n * 60_000).toISOString();
    const id = idAt(startedAt);
    writeFileSync(
      join(directory, `${id}.meta.json`),
      JSON.stringify(metaOf({ startedAt, runId: id, ...changes(n) })),
    );
    return id;
  });
}

/** Opens every recording, as a list of all does. Gives how many sidecars were read for that. */
function readsOfAll(directory: string): number {
  const index = createRecordingIndex(directory);
  const ids = recordingIds(directory);
  for (const id of ids) index.open(id);
  index.save(ids);
  index.close();
  return index.reads;
}

async function idsOf(directory: string): Promise<string[]> {
  return (await recordings.list({ directory })).map(({ id }) => id);
}

const indexOf = (directory: string): string => join(directory, ".index");

describe("the index", () => {
  it("saves reading the sidecars of finished runs a second time", async () => {
    const directory = temporaryDirectory();
    fill(directory, 2000);
    expect(readsOfAll(directory)).toBe(2000);
    expect(readsOfAll(directory)).toBe(direct);
    expect(lstatSync(indexOf(directory)).mode & 0o777).toBe(0o600);
    const before = await recordings.list({ directory });
    rmSync(indexOf(directory));
    expect(await recordings.list({ directory })).toEqual(before);
  });

  it("is not made for few recordings", async () => {
    const directory = temporaryDirectory();
    fill(directory, 50);
    await idsOf(directory);
    expect(readdirSync(directory)).toHaveLength(50);
  });

  it("answers filters without the sidecars of what is left out", async () => {
    const directory = temporaryDirectory();
    const ids = fill(directory, 300, (n) => ({ agent: n === 7 ? "codex" : "claude" }));
    await idsOf(directory);
    for (const id of ids) if (id !== ids[7]) writeFileSync(recordingPaths(directory, id).meta, "damaged");
    const unreadable: string[] = [];
    const found = await recordings.list({
      directory,
      agent: "codex",
      onUnreadable: (id) => unreadable.push(id),
    });
    expect(found.map(({ id }) => id)).toEqual([ids[7]]);
    expect(unreadable).toEqual([]);
  });

  it("follows what is added, changed and removed by hand", async () => {
    const directory = temporaryDirectory();
    const ids = fill(directory, 200);
    expect(await idsOf(directory)).toHaveLength(200);
    const [first = "", second = ""] = ids;
    writeFileSync(
      recordingPaths(directory, first).meta,
      JSON.stringify(metaOf({ runId: first, prompt: "Changed" })),
    );
    rmSync(recordingPaths(directory, second).meta);
    const added = idAt("2026-12-01T00:00:00.000Z");
    writeFileSync(recordingPaths(directory, added).meta, JSON.stringify(metaOf({ runId: added })));
    const found = await recordings.list({ directory });
    expect(found.map(({ id }) => id)).toEqual([added, ...ids.toReversed().filter((id) => id !== second)]);
    expect(found.at(-1)?.meta.prompt).toBe("Changed");
  });

  it("never has a run that has not ended", async () => {
    const directory = temporaryDirectory();
    fill(directory, 100);
    const live = idAt("2026-06-01T00:00:00.000Z");
    const path = recordingPaths(directory, live).meta;
    writeFileSync(path, JSON.stringify(unendedMeta({ runId: live, harness: { pid: process.pid } })));
    const outcomes = async (): Promise<string | undefined> =>
      (await recordings.list({ directory }))[0]?.outcome;
    expect(await outcomes()).toBe("running");
    writeFileSync(path, JSON.stringify(unendedMeta({ runId: live, harness: { pid: 2 ** 22 + 1 } })));
    expect(await outcomes()).toBe("interrupted");
    writeFileSync(
      path,
      JSON.stringify(metaOf({ runId: live, outcome: { isSuccess: false, reason: "stalled" } })),
    );
    expect(await outcomes()).toBe("stalled");
  });

  it("has nothing of what was removed", async () => {
    const directory = temporaryDirectory();
    const ids = fill(directory, 100, (n) => ({ prompt: `secret-${n}-`, cwd: `/place-${n}-` }));
    await idsOf(directory);
    expect(readFileSync(indexOf(directory), "utf8")).toContain("secret-3-");
    await recordings.remove(ids[3] ?? "", { directory });
    expect(readFileSync(indexOf(directory), "utf8")).not.toMatch(/secret-3-|place-3-/);
    await recordings.prune({ directory, before: new Date(start + 10 * 60_000) });
    expect(readFileSync(indexOf(directory), "utf8")).not.toMatch(/secret-[0-9]-|place-[0-9]-/);
    rmSync(recordingPaths(directory, ids[50] ?? "").meta);
    await idsOf(directory);
    expect(readFileSync(indexOf(directory), "utf8")).not.toMatch(/secret-50-|place-50-/);
    expect(await idsOf(directory)).toHaveLength(89);
  });

  it("keeps long prompts in their sidecars, and is not written again for them", async () => {
    const directory = temporaryDirectory();
    fill(directory, 100, () => ({ prompt: "x".repeat(100_000) }));
    const before = await recordings.list({ directory });
    const { ino } = lstatSync(indexOf(directory));
    expect(lstatSync(indexOf(directory)).size).toBeLessThan(100_000);
    expect(await recordings.list({ directory })).toEqual(before);
    expect(lstatSync(indexOf(directory)).ino).toBe(ino);
  });
});

describe("an index that does not fit is made again", () => {
  const damages: Record<string, (path: string) => void> = {
    empty: (path) => writeFileSync(path, ""),
    torn: (path) => truncateSync(path, 1000),
    "torn at its end": (path) => truncateSync(path, lstatSync(path).size - 1),
    "with more behind it": (path) => writeFileSync(path, "more", { flag: "a" }),
    "of another version": (path) =>
      writeFileSync(path, readFileSync(path, "latin1").replace("index 1", "index 2"), "latin1"),
    "with another table": (path) =>
      writeFileSync(path, readFileSync(path, "latin1").replace('"ids":"2026', '"ids":"2025'), "latin1"),
    "with other sidecars": (path) =>
      writeFileSync(path, readFileSync(path, "latin1").replaceAll('{"runId"', '{"nunId"'), "latin1"),
    "a folder": (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    "a link": (path) => {
      writeFileSync(`${path}-target`, readFileSync(path));
      rmSync(path);
      symlinkSync(`${path}-target`, path);
    },
    "a pipe that nobody writes to": (path) => {
      rmSync(path);
      execFileSync("mkfifo", [path]);
    },
  };

  it.each(Object.keys(damages))("%s", async (name) => {
    const directory = temporaryDirectory();
    fill(directory, 150);
    const before = await recordings.list({ directory });
    damages[name]?.(indexOf(directory));
    expect(await recordings.list({ directory })).toEqual(before);
    expect(await recordings.list({ directory })).toEqual(before);
    const isFile = lstatSync(indexOf(directory)).isFile();
    expect(isFile).toBe(name !== "a folder");
    if (isFile && name !== "with other sidecars") expect(readsOfAll(directory)).toBe(direct);
  });

  it("whatever bytes there are", () => {
    const directory = temporaryDirectory();
    fill(directory, 80);
    readsOfAll(directory);
    const good = readFileSync(indexOf(directory));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
        .map((changes) => {
          const copy = Uint8Array.from(good);
          for (const [at, value] of changes) copy[at] = value;
          return copy;
        }),
    );
    fc.assert(
      fc.property(bytes, (content) => {
        writeFileSync(indexOf(directory), content);
        const index = createRecordingIndex(directory);
        for (const id of recordingIds(directory)) {
          index.facts(id);
          expect(index.open(id).id).toBe(id);
        }
        index.close();
      }),
      { numRuns: 150 },
    );
  });

  it("and one that a directory without write permission cannot have is missed by nobody", async () => {
    const directory = temporaryDirectory();
    fill(directory, 100);
    mkdirSync(indexOf(directory));
    writeFileSync(join(indexOf(directory), "not-empty"), "");
    expect(await idsOf(directory)).toHaveLength(100);
    expect(readdirSync(directory).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("several at once", () => {
  it("write one index that is whole, and none of them sees a wrong list", async () => {
    const directory = temporaryDirectory();
    const ids = fill(directory, 500).toReversed();
    const lists = Array.from({ length: 8 }, async (_none, n) => {
      if (n % 2 === 1) rmSync(indexOf(directory), { force: true });
      return idsOf(directory);
    });
    for (const list of await Promise.all(lists)) expect(list).toEqual(ids);
    await idsOf(directory);
    const index = readIndexFile(directory);
    expect(index?.entries.size).toBe(500);
    index?.close();
    expect(readdirSync(directory).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("leave nothing behind for long when they are killed", async () => {
    const directory = temporaryDirectory();
    fill(directory, 3);
    const [old, young] = [join(directory, ".index.1.tmp"), join(directory, ".index.2.tmp")];
    for (const path of [old, young]) writeFileSync(path, "");
    execFileSync("touch", ["-d", "1 hour ago", old]);
    await idsOf(directory);
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  });
});
