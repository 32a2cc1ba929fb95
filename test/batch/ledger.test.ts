import { appendFileSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openLedger } from "../../src/batch/ledger.js";
import type { LedgerLine } from "../../src/batch/model/ledger-line.js";
import { listBatches, readBatch } from "../../src/batch/read-batch.js";
import { followLedger, readLedger } from "../../src/batch/read-ledger.js";
import { createReport } from "../../src/batch/report/create-report.js";
import { temporaryDirectory } from "../runs/test-agent.js";
import { cellsOf, headOf, resultOf } from "./support/cells.js";

const at = "2026-01-01T00:00:00.000Z";
const head = headOf({ repeats: 3 });
const [one, two] = cellsOf({ repeats: 3 });
if (one === undefined || two === undefined) throw new Error("there are cells");
const started: LedgerLine = { type: "started", at, cellId: one.id, attempt: 1, runId: `${one.id}-1` };
const done: LedgerLine = { type: "done", at, ...resultOf(one, { costUsd: 2 }) };

function open(path: string, bytes = 0) {
  const synced: LedgerLine[] = [];
  const problems: string[] = [];
  const ledger = openLedger({
    path,
    bytes,
    onSynced: (lines) => synced.push(...lines),
    onProblem: (problem) => problems.push(problem),
  });
  return { ledger, synced, problems };
}

async function write(path: string, lines: readonly LedgerLine[]): Promise<void> {
  const { ledger } = open(path);
  for (const line of lines) ledger.append(line);
  await ledger.close();
}

describe("a ledger", () => {
  it("is read as it was written, and only its owner can read it", async () => {
    const path = join(temporaryDirectory(), "batch.jsonl");
    await write(path, [head, started, done]);
    expect(readLedger(path)).toMatchObject({ head, lines: [started, done], problems: [] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("reports a line only after it is synced, in order", async () => {
    const path = join(temporaryDirectory(), "batch.jsonl");
    const { ledger, synced } = open(path);
    for (const line of [head, started, done]) ledger.append(line);
    expect(readLedger(path).lines).toHaveLength(2);
    expect(synced).toEqual([]);
    await ledger.close();
    expect(synced).toEqual([head, started, done]);
    expect(ledger.syncedBytes).toBe(statSync(path).size);
  });

  it("that was cut off anywhere is read up to its last whole line, and goes on from there", async () => {
    const path = join(temporaryDirectory(), "batch.jsonl");
    await write(path, [head, started, done]);
    const whole = readFileSync(path);
    const firstLine = whole.indexOf(10) + 1;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: firstLine, max: whole.length }), async (length) => {
        writeFileSync(path, whole.subarray(0, length));
        const { lines, bytes, problems } = readLedger(path);
        expect(problems).toEqual([]);
        const { ledger } = open(path, bytes);
        ledger.append({ type: "resumed", at, harness: "0" });
        await ledger.close();
        expect(readLedger(path)).toMatchObject({
          lines: [...lines, { type: "resumed" }],
          problems: [],
        });
      }),
    );
  });

  it("names damaged lines in the middle, and reads the others", async () => {
    const path = join(temporaryDirectory(), "batch.jsonl");
    await write(path, [head, started]);
    const half = { ...done, commands: null };
    appendFileSync(path, `{"type":"done"}\nnonsense\n${JSON.stringify(half)}\n${JSON.stringify(done)}\n`);
    const { lines, problems } = readLedger(path);
    expect(lines).toEqual([started, done]);
    expect(problems).toEqual([3, 4, 5].map((line) => `line ${line} of ${path} is damaged and is left out`));
  });

  it("leaves out lines of which something is missing that readers need, whoever wrote them", async () => {
    const path = join(temporaryDirectory(), "batch.jsonl");
    const { commands: _, ...withoutCommands } = resultOf(one);
    const { retries: __, ...withoutRetries } = resultOf(one);
    const bad: object[] = [
      { type: "done", at, ...withoutCommands },
      { type: "done", at, ...withoutRetries },
      { ...done, startedAt: "yesterday" },
      { ...done, verdict: "maybe" },
      { ...done, runId: "../../etc" },
      { type: "agent_stopped", at, agent: "x" },
      { type: "retrying", at, cellId: one.id, attempt: 1, runId: `${one.id}-1`, until: at },
      { type: "ended", at, reason: "bored" },
    ];
    await write(path, [head, started]);
    appendFileSync(path, bad.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { lines, problems } = readLedger(path);
    expect(lines).toEqual([started]);
    expect(problems).toHaveLength(bad.length);
    const { state } = readBatch(dirname(path));
    expect(createReport(state).batchId).toBe(head.batchId);
  });

  it("has fields of later versions without harm", async () => {
    const path = join(temporaryDirectory(), "batch.jsonl");
    const failure = { kind: "network", message: "gone", later: 1 };
    const outcome = { isSuccess: false, reason: "failed", failure };
    await write(path, [head]);
    appendFileSync(path, `${JSON.stringify({ ...done, outcome, later: [1] })}\n`);
    expect(readLedger(path)).toMatchObject({ problems: [], lines: [{ later: [1] }] });
  });

  it.each([
    ["has half a plan", `${JSON.stringify({ ...head, plan: { name: "x" } })}\n`, "unreadable_batch"],
    [
      "would have more cells than memory",
      `${JSON.stringify({ ...head, plan: { ...head.plan, repeats: 1e9 } })}\n`,
      "unreadable_batch",
    ],
    ["is not there", undefined, "unknown_batch"],
    ["is empty", "", "unreadable_batch"],
    ["begins with half a line", JSON.stringify(head).slice(0, 50), "unreadable_batch"],
    ["begins with something else", `${JSON.stringify(started)}\n`, "unreadable_batch"],
    ["begins without a plan", `${JSON.stringify({ ...head, plan: undefined })}\n`, "unreadable_batch"],
    ["begins with half a plan", `${JSON.stringify({ ...head, plan: { name: "x" } })}\n`, "unreadable_batch"],
    ["began at no time", `${JSON.stringify({ ...head, at: "x" })}\n`, "unreadable_batch"],
    ["is of another version", `${JSON.stringify({ ...head, version: 2 })}\n`, "unreadable_batch"],
  ])("that %s is an error", (_name, text, code) => {
    const path = join(temporaryDirectory(), "batch.jsonl");
    if (text !== undefined) writeFileSync(path, text);
    expect(() => readLedger(path)).toThrow(expect.objectContaining({ code }));
  });

  it("is never written through a link, and a new one replaces nothing", () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "other"), "");
    symlinkSync(join(directory, "other"), join(directory, "batch.jsonl"));
    expect(() => open(join(directory, "batch.jsonl"))).toThrow();
    expect(() => open(join(directory, "batch.jsonl"), 1)).toThrow();
    expect(() => open(join(directory, "other"))).toThrow();
  });

  it.runIf(process.platform === "linux")("on a full disk fails once, with a sentence", async () => {
    const { ledger, problems, synced } = open("/dev/full", 1);
    ledger.append(started);
    ledger.append(done);
    await ledger.close();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("the disk is full; make room, and resume the batch");
    expect(synced).toEqual([]);
  });

  it("is followed by slow readers while it grows", async () => {
    const path = join(temporaryDirectory(), "batch.jsonl");
    let wake: () => void = () => {};
    let hasEnded = false;
    const ledger = openLedger({ path, bytes: 0, onSynced: () => wake(), onProblem: () => {} });
    ledger.append(head);
    const lines = followLedger(path, 0, {
      get syncedBytes() {
        return ledger.syncedBytes;
      },
      get hasEnded() {
        return hasEnded;
      },
      changed: () =>
        new Promise((resolve) => {
          wake = resolve;
        }),
    });
    expect((await lines.next()).value).toEqual(head);
    const next = lines.next();
    ledger.append({ ...started, worker: "ü".repeat(200_000) });
    expect((await next).value).toMatchObject({ type: "started", worker: "ü".repeat(200_000) });
    ledger.append(done);
    await ledger.close();
    hasEnded = true;
    expect((await lines.next()).value).toEqual(done);
    expect((await lines.next()).done).toBe(true);
  });
});

describe("a batch that is read", () => {
  it("has a state, and cells of a harness that was killed wait", async () => {
    const directory = temporaryDirectory();
    const second: LedgerLine = { ...started, cellId: two.id };
    await write(join(directory, "batch.jsonl"), [head, started, done, second]);
    const { state, isRunning } = readBatch(directory);
    expect(isRunning).toBe(false);
    expect(state.costUsd).toBe(2);
    expect([...state.cells.values()].map(({ status }) => status)).toEqual(["done", "waiting", "waiting"]);
  });

  it("counts a result once, also if it is written twice", async () => {
    const directory = temporaryDirectory();
    const again: LedgerLine = { ...done, verdict: "failed" };
    await write(join(directory, "batch.jsonl"), [head, started, done, again]);
    const { state } = readBatch(directory);
    expect(state.cells.get(one.id)?.result?.verdict).toBe("passed");
    expect(state.costUsd).toBe(2);
  });

  it("is listed, newest first, and directories without a ledger are not", async () => {
    const directory = temporaryDirectory();
    for (const name of ["20260101-000000-aaaaaa", "20260102-000000-aaaaaa", "20260103-000000-aaaaaa"])
      mkdirSync(join(directory, name));
    writeFileSync(join(directory, "file"), "");
    for (const name of ["20260101-000000-aaaaaa", "20260102-000000-aaaaaa"])
      await write(join(directory, name, "batch.jsonl"), [head]);
    expect(listBatches(directory).map(({ batchId }) => batchId)).toEqual([
      "20260102-000000-aaaaaa",
      "20260101-000000-aaaaaa",
    ]);
    expect(listBatches(join(directory, "nowhere"))).toEqual([]);
  });
});
