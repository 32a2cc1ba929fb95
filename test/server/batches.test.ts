import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeCells } from "../../src/batch/make-cells.js";
import type { Cell } from "../../src/batch/model/cell.js";
import type {
  BatchList,
  BatchRow,
  CellDetail,
  CellFileText,
  CellRow,
  ReportMessage,
} from "../../src/server/batch-protocol.js";
import { type WrittenLine, writeBatch } from "../support/write-batch.mjs";
import { ask, type Message, messages, startTestServer, type TestServer } from "./support.js";

const plan = {
  name: "cart",
  tasks: [{ id: "one" }, { id: "two" }],
  arms: [{ agent: "claude" }, { agent: "codex", model: "mini" }],
  repeats: 3,
};
const failed: WrittenLine = {
  type: "done",
  verdict: "failed",
  reason: "the check failed: exit code 1",
  check: { isSuccess: false, exitCode: 1, durationMs: 5, tail: "1 failing" },
  costUsd: 0.5,
};

function write(server: TestServer, id: string, options: Partial<Parameters<typeof writeBatch>[0]> = {}) {
  return writeBatch({ batches: server.batches, id, makeCells, plan, ...options });
}

/** The first cells have these lines, one after the other; the others have none. */
function begin(...lines: WrittenLine[][]): (cell: Cell, index: number) => WrittenLine[] {
  return (_, index) => lines[index] ?? [];
}

async function list(server: TestServer): Promise<BatchList> {
  return JSON.parse((await server.get("/api/batches")).text);
}

function cellsOf(all: readonly Message[]): CellRow[] {
  return all.flatMap(({ event, data }) => (event === "cells" ? (data["cells"] as CellRow[]) : []));
}

function hasSign(message: Message, id: string | undefined, sign: string): boolean {
  return cellsOf([message]).some((cell) => cell.id === id && cell.sign === sign);
}

describe("the list of batches", () => {
  it("has what became of the cells, the cost and how each batch stands, newest first", async () => {
    const server = await startTestServer();
    const outcomeOf = begin([{ type: "done" }], [failed], [{ type: "started" }]);
    write(server, "ended", { outcomeOf, end: "budget", startedAt: "2026-11-01T00:00:00.000Z" });
    write(server, "killed", { outcomeOf, startedAt: "2026-11-02T00:00:00.000Z" });
    write(server, "live", { outcomeOf, isRunning: true, startedAt: "2026-11-03T00:00:00.000Z" });
    const { batches, isAll } = await list(server);
    expect(isAll).toBe(true);
    expect(batches.map(({ id, phase }) => [id, phase])).toEqual([
      ["live", "running"],
      ["killed", "interrupted"],
      ["ended", "budget"],
    ]);
    expect(batches[0]).toMatchObject({ name: "cart", tasks: 2, arms: 2, repeats: 3, costUsd: 0.5 });
    expect(batches[0]?.counts).toMatchObject({ passed: 1, failed: 1, running: 1, waiting: 9 });
    // Nothing runs in a batch whose harness is gone.
    expect(batches[1]?.counts).toMatchObject({ passed: 1, failed: 1, running: 0, waiting: 10 });
  });

  it("is empty without batches, and names what cannot be read", async () => {
    const server = await startTestServer();
    expect(await list(server)).toMatchObject({ batches: [], unreadable: [], isAll: true });
    mkdirSync(join(server.batches, "broken"), { recursive: true });
    writeFileSync(join(server.batches, "broken", "batch.jsonl"), "{}\n");
    mkdirSync(join(server.batches, "being-made"));
    write(server, "huge", { plan: { ...plan, repeats: 3 } });
    const ledger = join(server.batches, "huge", "batch.jsonl");
    writeFileSync(ledger, readFileSync(ledger, "utf8").replace('"repeats":3', '"repeats":900000000'));
    const { batches, unreadable } = await list(server);
    expect(batches).toEqual([]);
    expect(unreadable.map(({ id }) => id).sort()).toEqual(["broken", "huge"]);
  });

  it("does not follow links and pipes", async () => {
    const server = await startTestServer();
    const { directory } = write(server, "real");
    symlinkSync(directory, join(server.batches, "linked"));
    mkdirSync(join(server.batches, "ledger-linked"));
    symlinkSync(join(directory, "batch.jsonl"), join(server.batches, "ledger-linked", "batch.jsonl"));
    mkdirSync(join(server.batches, "pipe"));
    execFileSync("mkfifo", [join(server.batches, "pipe", "batch.jsonl")]);
    const { batches, unreadable } = await list(server);
    expect(batches.map(({ id }) => id)).toEqual(["real"]);
    expect(unreadable.map(({ id }) => id).sort()).toEqual(["ledger-linked", "pipe"]);
  });

  it("moves by itself: a batch begins, goes on, is killed and is removed", async () => {
    const server = await startTestServer();
    const steps: (() => void)[] = [
      () => void write(server, "watched", { isRunning: true }),
      () => {
        const cell = write(server, "watched", { isRunning: true }).cells[0];
        if (cell !== undefined)
          append(server, "watched", { type: "started", cellId: cell.id, runId: "r", attempt: 1 });
      },
      () => rmSync(join(server.batches, "watched", "lock")),
      () => rmSync(join(server.batches, "watched"), { recursive: true }),
    ];
    const seen: BatchRow[] = [];
    const next = (): void => steps.shift()?.();
    await messages(server, "/api/batches/live", ({ event, data }) => {
      const {
        changed = [],
        removed = [],
        isAll,
      } = data as {
        changed?: BatchRow[];
        removed?: string[];
        isAll?: boolean;
      };
      if (event === "list" && isAll) next();
      for (const row of changed) {
        const last = seen.at(-1);
        seen.push(row);
        if (row.phase !== last?.phase || row.counts.running !== last.counts.running) next();
      }
      return removed.includes("watched");
    });
    const states = seen.map(({ phase, counts }) => `${phase} ${counts.running}`);
    expect(states.filter((state, index) => state !== states[index - 1])).toEqual([
      "running 0",
      "running 1",
      "interrupted 0",
    ]);
  });
});

function append(server: TestServer, id: string, line: object): void {
  const text = JSON.stringify({ at: "2026-11-17T09:01:00.000Z", ...line });
  appendFileSync(join(server.batches, id, "batch.jsonl"), `${text}\n`);
}

describe("the stream of a batch", () => {
  it("has the plan, every cell once, the figures, and then only what changes", async () => {
    const server = await startTestServer();
    const batch = write(server, "b", { outcomeOf: begin([{ type: "done" }], [failed]), isRunning: true });
    const [, , third] = batch.cells;
    const all = await messages(server, "/api/batches/b/stream", (message) => {
      if (message.event === "report") batch.append(third, { type: "started" });
      return hasSign(message, third?.id, "running");
    });
    expect(all.map(({ event }) => event)).toEqual(["batch", "cells", "row", "report", "cells"]);
    expect(all[0]?.data).toMatchObject({
      tasks: [{ id: "one", prompt: "Do one.", source: "an empty directory" }, { id: "two" }],
      arms: [
        { id: "claude", agent: "claude" },
        { id: "codex-mini", agent: "codex", model: "mini" },
      ],
    });
    const first = all[1]?.data["cells"] as CellRow[];
    expect(first.map(({ id }) => id).sort()).toEqual(batch.cells.map(({ id }) => id).sort());
    const places = new Set(first.map(({ task, arm, repetition }) => `${task} ${arm} ${repetition}`));
    expect(places.size).toBe(12);
    expect(first.find(({ sign }) => sign === "failed")).toMatchObject({
      reason: "the check failed: exit code 1",
      costUsd: 0.5,
    });
    expect(all.at(-1)?.data["cells"]).toHaveLength(1);
    const report = all[3]?.data as unknown as ReportMessage | undefined;
    expect(report?.arms.map(({ figures: { passed, failed } }) => [passed, failed])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it("works out the differences of a large batch only when nothing runs", async () => {
    const server = await startTestServer();
    const large = { ...plan, repeats: 600 };
    const outcomeOf = (_: Cell, index: number): WrittenLine[] =>
      index % 2 === 0 ? [{ type: "done" }] : [failed];
    write(server, "b", { plan: large, outcomeOf, isRunning: true });
    let hasEnded = false;
    const all = await messages(server, "/api/batches/b/stream", ({ event, data }) => {
      if (event !== "report") return false;
      if (!hasEnded) append(server, "b", { type: "ended", reason: "completed" });
      hasEnded = true;
      return (data as unknown as ReportMessage).comparisons.length > 0;
    });
    const reports = all.flatMap(({ event, data }) =>
      event === "report" ? [data as unknown as ReportMessage] : [],
    );
    expect(reports[0]?.comparisons).toEqual([]);
    expect(reports[0]?.arms[0]?.figures.passRate?.of).toBe(1200);
  });

  it("waits for the rest of a torn line, and names a damaged one", async () => {
    const server = await startTestServer();
    const batch = write(server, "b", { isRunning: true });
    const [cell] = batch.cells;
    const line = `${JSON.stringify({ type: "started", at: "2026-11-17T09:00:00.000Z", cellId: cell?.id, attempt: 1, runId: "r" })}\n`;
    let isTorn = false;
    const all = await messages(server, "/api/batches/b/stream", (message) => {
      if (message.event === "report" && !isTorn) batch.appendText(`{"type":"started",\n${line.slice(0, 20)}`);
      if (message.event === "report") isTorn = true;
      const problems = (message.data["problems"] ?? []) as string[];
      if (problems.length > 0) batch.appendText(line.slice(20));
      return hasSign(message, cell?.id, "running");
    });
    const problems = all.flatMap(({ data }) => (data["problems"] ?? []) as string[]);
    expect(new Set(problems).size).toBe(1);
    expect(problems[0]).toMatch(/^line 2 /);
  });

  it("goes on when a batch is resumed, and begins again when its ledger was replaced", async () => {
    const server = await startTestServer();
    const error: WrittenLine = { type: "done", verdict: "error", reason: "the setup failed" };
    const batch = write(server, "b", { outcomeOf: begin([error]), end: "completed" });
    const [cell] = batch.cells;
    let step = 0;
    const all = await messages(server, "/api/batches/b/stream", (message) => {
      if (message.event === "report" && step === 0) {
        step = 1;
        batch.append(undefined, { type: "resumed", harness: "0.0.0" });
      }
      if (step === 1 && hasSign(message, cell?.id, "waiting")) {
        step = 2;
        rmSync(batch.directory, { recursive: true });
        write(server, "b", { plan: { ...plan, tasks: [{ id: "other" }] } });
      }
      const tasks = message.data["tasks"] as { id: string }[] | undefined;
      return message.event === "batch" && tasks?.[0]?.id === "other";
    });
    expect(cellsOf(all).find(({ id }) => id === cell?.id)?.sign).toBe("error");
  });

  it("is refused for a batch that does not exist, whatever its name", async () => {
    const server = await startTestServer();
    write(server, "b");
    for (const name of ["none", "..%2Fbatches%2Fb", ".", "%2e%2e", "b%00", "__proto__"]) {
      const all = await messages(server, `/api/batches/${name}/stream`).catch(() => []);
      expect(all.filter(({ event }) => event !== "refusal")).toEqual([]);
    }
    const [refusal] = await messages(server, "/api/batches/none/stream");
    expect(refusal?.data).toMatchObject({ code: "unknown_batch" });
  });
});

describe("a cell", () => {
  it("has its result and its files", async () => {
    const server = await startTestServer();
    const batch = write(server, "b", { outcomeOf: begin([failed]) });
    const [cell] = batch.cells;
    if (cell === undefined) throw new Error("no cell");
    batch.writeFile(cell, "check.log", "1 failing\n");
    batch.writeFile(cell, "changes.patch", `+${"x".repeat(1_000_000)}\nthe end`);
    batch.writeFile(cell, "private.txt", "not to be seen");
    const path = `/api/batches/b/cells/${cell.id}`;
    const detail: CellDetail = JSON.parse((await server.get(path)).text);
    expect(detail).toMatchObject({
      row: { id: cell.id, sign: "failed" },
      result: { verdict: "failed", check: { tail: "1 failing" } },
      files: [
        { name: "check.log", size: 10 },
        { name: "changes.patch", size: 1_000_009 },
      ],
    });
    const log: CellFileText = JSON.parse((await server.get(`${path}/files/check.log`)).text);
    expect(log).toEqual({ head: "1 failing\n", tail: "", omitted: 0 });
    const patch: CellFileText = JSON.parse((await server.get(`${path}/files/changes.patch`)).text);
    expect(patch.tail).toMatch(/the end$/);
    expect(patch.head.length + patch.tail.length + patch.omitted).toBe(1_000_009);
    expect(patch.head.length + patch.tail.length).toBeLessThan(300_000);
  });

  it("leads to no other file than its own three", async () => {
    const server = await startTestServer();
    const batch = write(server, "b");
    const [cell, other] = batch.cells;
    if (cell === undefined || other === undefined) throw new Error("no cell");
    writeFileSync(join(server.batches, "secret.txt"), "secret");
    batch.writeFile(cell, "private.txt", "secret");
    symlinkSync(join(server.batches, "secret.txt"), join(batch.directory, "cells", cell.id, "check.log"));
    mkdirSync(join(server.batches, "elsewhere"));
    writeFileSync(join(server.batches, "elsewhere", "check.log"), "secret");
    symlinkSync(join(server.batches, "elsewhere"), join(batch.directory, "cells", other.id));
    const paths = [
      `${cell.id}/files/private.txt`,
      `${cell.id}/files/check.log`,
      `${other.id}/files/check.log`,
      `${cell.id}/files/..%2F..%2F..%2Fsecret.txt`,
      `..%2F..%2Felsewhere/files/check.log`,
      `c000000000000000/files/check.log`,
      `__proto__/files/check.log`,
    ];
    for (const path of paths) {
      const { status, text } = await server.get(`/api/batches/b/cells/${path}`);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain('secret"');
    }
  });

  it("is shown to nobody without the token", async () => {
    const server = await startTestServer();
    const { cells } = write(server, "b");
    const path = `/api/batches/b/cells/${cells[0]?.id}`;
    for (const each of [
      "/api/batches",
      "/api/batches/live",
      "/api/batches/b/stream",
      path,
      `${path}/files/check.log`,
    ]) {
      expect((await ask(server, each)).status).toBe(401);
      const headers = { authorization: `Bearer ${server.token}`, "sec-fetch-site": "cross-site" };
      expect((await ask(server, each, { headers })).status).toBe(403);
    }
  });

  it("does not break on lines that no harness has written", async () => {
    const server = await startTestServer();
    const batch = write(server, "b", { isRunning: true });
    const [cell] = batch.cells;
    const times = { at: "x", startedAt: "x", endedAt: "x" };
    const lists = { attempts: 1, retries: [], commands: {} };
    const strange = { type: "done", ...times, cellId: cell?.id, verdict: "__proto__", ...lists };
    batch.appendText(`${JSON.stringify(strange)}\n[1]\nnull\n`);
    batch.appendText(
      `{"type":"started","at":"x","cellId":"${batch.cells[1]?.id}","runId":"r","worker":{}}\n`,
    );
    const broken = write(server, "broken");
    const ledger = join(broken.directory, "batch.jsonl");
    writeFileSync(
      ledger,
      readFileSync(ledger, "utf8").replace('"agent":"claude"', '"agent":"claude","model":7'),
    );
    expect((await list(server)).unreadable.map(({ id }) => id)).toEqual(["broken"]);
    const all = await messages(server, "/api/batches/b/stream", ({ event }) => event === "row");
    // They are left out.
    expect(cellsOf(all).find(({ id }) => id === cell?.id)?.sign).toBe("waiting");
    const detail: CellDetail = JSON.parse((await server.get(`/api/batches/b/cells/${cell?.id}`)).text);
    expect(detail.row.sign).toBe("waiting");
  });
});
