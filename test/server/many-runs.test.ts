import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RecordingMeta } from "../../src/events/recording-meta.js";
import { readIndexFile } from "../../src/runs/archive/index-file.js";
import { watchDirectory } from "../../src/server/directory-watch.js";
import type { MoreRuns, RunList, RunRow, RunsChange } from "../../src/server/protocol.js";
import { createRunIndex, type RunIndex } from "../../src/server/run-index.js";
import { idAt, metaOf, unendedMeta } from "../runs/archive/recordings.js";
import { messages, startTestServer, temporaryDirectory } from "./support.js";

const start = Date.parse("2026-01-01T00:00:00.000Z");

function writeSidecar(directory: string, meta: RecordingMeta): string {
  // As a recorder does.
  const draft = join(directory, `${meta.runId}.meta.json.1.tmp`);
  writeFileSync(draft, JSON.stringify(meta));
  renameSync(draft, join(directory, `${meta.runId}.meta.json`));
  return meta.runId;
}

function fill(directory: string, count: number): string[] {
  mkdirSync(directory, { recursive: true });
  return Array.from({ length: count }, (_none, n) => {
    const startedAt = new Date(start + n * 60_000).toISOString();
    const isGood = n % 2 === 0;
    return writeSidecar(
      directory,
      metaOf({
        startedAt,
        runId: idAt(startedAt),
        agent: isGood ? "claude" : "codex",
        outcome: { isSuccess: isGood, reason: isGood ? "completed" : "failed" },
        counts: {},
      }),
    );
  });
}

function indexOf(directory: string): RunIndex {
  return createRunIndex({
    directory,
    findAgent: () => {
      throw new Error("no agent is needed");
    },
    ownKind: () => undefined,
  });
}

describe("many runs", () => {
  it("begin with the newest and how many there are; all others follow, each once", async () => {
    const server = await startTestServer();
    const ids = fill(server.directory, 2500).toReversed();
    const all = await messages(
      server,
      "/api/live",
      ({ event, data }) => event === "more" && data["isAll"] === true,
    );
    const first = all[0]?.data as unknown as RunList;
    expect(all[0]?.event).toBe("list");
    expect(first.runs.map(({ id }) => id)).toEqual(ids.slice(0, 200));
    expect(first.total).toBe(2500);
    const more = all.filter(({ event }) => event === "more").map(({ data }) => data as unknown as MoreRuns);
    expect(more.length).toBeGreaterThan(1);
    const rows = [...first.runs, ...more.flatMap(({ runs }) => runs)];
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  it("are handed out in parts to scripts, too", async () => {
    const server = await startTestServer();
    const ids = fill(server.directory, 450).toReversed();
    const found: string[] = [];
    for (let after = ""; ; ) {
      const list: RunList = JSON.parse((await server.get(`/api/runs?limit=150${after}`)).text);
      expect(list.total).toBe(450);
      if (list.runs.length === 0) break;
      found.push(...list.runs.map(({ id }) => id));
      after = `&after=${found.at(-1)}`;
    }
    expect(found).toEqual(ids);
    expect((await server.get("/api/runs?after=../x")).status).toBe(400);
  });

  it("are counted from the index before their sidecars are read", async () => {
    const directory = temporaryDirectory();
    fill(directory, 1000);
    const index = indexOf(directory);
    index.list();
    for await (const _ of index.rest());
    await expect.poll(() => readIndexFile(directory)?.entries.size, { timeout: 20_000 }).toBe(1000);
    const { outcomes, agents, total } = indexOf(directory).list();
    expect({ outcomes, agents, total }).toEqual({
      outcomes: { completed: 500, failed: 500 },
      agents: ["claude", "codex"],
      total: 1000,
    });
  });

  it("report recordings that cannot be read, wherever they are in the list", async () => {
    const directory = temporaryDirectory();
    const ids = fill(directory, 600);
    writeFileSync(join(directory, `${ids[5]}.meta.json`), "damaged");
    const index = indexOf(directory);
    const received: RunsChange[] = [];
    const stop = index.watch((change) => received.push(change));
    expect(index.list().unreadable).toEqual([]);
    const rows: RunRow[] = [];
    for await (const { runs } of index.rest()) rows.push(...runs);
    expect(rows).toHaveLength(399);
    await expect
      .poll(() => received.flatMap(({ unreadable = [] }) => unreadable.map(({ id }) => id)), {
        timeout: 20_000,
      })
      .toContain(ids[5]);
    stop();
  });

  it("change one by one, without another look at all of them", async () => {
    const directory = temporaryDirectory();
    const ids = fill(directory, 300);
    const index = indexOf(directory);
    const received: RunsChange[] = [];
    const stop = index.watch((change) => received.push(change));
    index.list();
    const added = writeSidecar(
      directory,
      metaOf({ runId: "chosen", startedAt: "2026-12-01T00:00:00.000Z", counts: {} }),
    );
    const changedIds = (): string[] => received.flatMap(({ changed }) => changed.map(({ id }) => id));
    await expect.poll(changedIds, { timeout: 20_000 }).toContain(added);
    const [old = ""] = ids;
    writeSidecar(directory, metaOf({ runId: old, prompt: "Changed later", counts: {} }));
    await expect.poll(changedIds, { timeout: 20_000 }).toContain(old);
    expect(received.flatMap(({ changed }) => changed).find(({ id }) => id === old)?.prompt).toBe(
      "Changed later",
    );
    rmSync(join(directory, `${old}.meta.json`));
    await expect.poll(() => received.flatMap(({ removed }) => removed), { timeout: 20_000 }).toContain(old);
    expect(new Set(changedIds())).toEqual(new Set([added, old]));
    stop();
  });

  it("that were interrupted or are under way are found behind the newest, too", async () => {
    const directory = temporaryDirectory();
    fill(directory, 300);
    const startedAt = "2025-01-01T00:00:00.000Z";
    const id = writeSidecar(
      directory,
      unendedMeta({ startedAt, runId: idAt(startedAt), harness: { pid: 2 ** 22 + 1 } }),
    );
    const index = indexOf(directory);
    index.list();
    const rows: RunRow[] = [];
    for await (const { runs } of index.rest()) rows.push(...runs);
    expect(rows.at(-1)).toMatchObject({ id, outcome: "interrupted" });
  });
});

describe("watching a directory", () => {
  it("reports the ids of sidecars, together, and no other file", async () => {
    const directory = temporaryDirectory();
    const reported: string[] = [];
    const stop = watchDirectory(directory, {
      onIds: (ids) => reported.push(...ids),
      onChange: () => undefined,
    });
    writeFileSync(join(directory, "a.ndjson"), "");
    writeFileSync(join(directory, ".index"), "");
    writeFileSync(join(directory, "a.meta.json"), "");
    await expect.poll(() => [...new Set(reported)], { timeout: 20_000 }).toEqual(["a"]);
    stop();
  });

  it("notices a directory that is made later, and one that was removed and made again", async () => {
    const directory = join(temporaryDirectory(), "later");
    let scans = 0;
    const reported: string[] = [];
    const stop = watchDirectory(directory, {
      onIds: (ids) => reported.push(...ids),
      onChange: () => {
        scans += 1;
      },
    });
    const make = async (): Promise<void> => {
      const before = scans;
      mkdirSync(directory);
      await expect.poll(() => scans, { timeout: 20_000 }).toBeGreaterThan(before);
    };
    await make();
    rmSync(directory, { recursive: true });
    await make();
    stop();
  });
});
