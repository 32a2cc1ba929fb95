import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LedgerLine } from "../../src/batch/model/ledger-line.js";
import { listBatches, readBatch } from "../../src/batch/read-batch.js";
import { buildLibrary } from "../batch/support/build-library.js";
import { temporaryDirectory } from "../runs/test-agent.js";
import { program } from "./agent.js";
import { seed } from "./fault.js";
import { createRandom } from "./random.js";

const kills = Number(process.env["HARNESS_BATCH_KILLS"] ?? 50);

let library: Awaited<ReturnType<typeof buildLibrary>>;

/** Runs the batch, or goes on with it. Killed so many milliseconds after it began, or after its start if that is negative. */
async function runElsewhere(directory: string, killAfterMs?: number): Promise<string[]> {
  const args = [program("batch.mjs"), library.path, directory, join(directory, "repository")];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const said: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const begun = new Promise<void>((resolve) => {
    lines.on("line", (line) => {
      said.push(line);
      resolve();
    });
  });
  if (killAfterMs !== undefined) {
    if (killAfterMs >= 0) await Promise.race([begun, exited]);
    await Promise.race([sleep(Math.abs(killAfterMs)), exited]);
    child.kill("SIGKILL");
  }
  await exited;
  return said;
}

function createRepository(directory: string): void {
  mkdirSync(directory);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: directory });
  git("init", "--quiet");
  writeFileSync(join(directory, "file"), "content\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
}

function ledgerOf(directory: string): LedgerLine[] {
  const lines = readFileSync(join(directory, "batch.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** Every process whose environment has a mark of these runs. */
function processesOf(runIds: ReadonlySet<string>): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const environ = readFileSync(`/proc/${pid}/environ`, "latin1");
      return [...environ.matchAll(/harness-run=([^;]*);/g)].some(([, runId = ""]) => runIds.has(runId));
    } catch {
      return false;
    }
  });
}

describe.runIf(process.platform === "linux")("a batch whose harness is killed again and again", () => {
  beforeAll(async () => {
    library = await buildLibrary();
  }, 60_000);
  afterAll(() => library.remove());

  it("is resumed to its end: every cell once, and nothing is left", async () => {
    const random = createRandom(seed);
    const directory = temporaryDirectory();
    createRepository(join(directory, "repository"));
    for (let kill = 0; kill < kills; kill++)
      await runElsewhere(directory, random.below(8) === 0 ? -random.below(400) : random.below(350));
    expect(await runElsewhere(directory)).toEqual(["begun", "ended"]);

    const [batch, ...others] = listBatches(join(directory, "batches"));
    if (batch === undefined) throw new Error("there is no batch");
    expect(others).toEqual([]);
    const { state, problems, isRunning } = readBatch(batch.directory);
    expect({ problems, isRunning }).toEqual({ problems: [], isRunning: false });
    const cells = [...state.cells.values()];
    expect(cells).toHaveLength(80);
    const notPassed = cells.filter(({ result }) => result?.verdict !== "passed");
    expect(notPassed.map(({ result }) => result?.reason)).toEqual([]);

    const lines = ledgerOf(batch.directory);
    const done = lines.flatMap((line) => (line.type === "done" ? [line.cellId] : []));
    expect([...done].sort()).toEqual([...state.cells.keys()].sort());
    expect(state.costUsd).toBe(80);
    const runIds = lines.flatMap((line) => (line.type === "started" ? [line.runId] : []));
    expect(new Set(runIds).size).toBe(runIds.length);
    expect(lines.filter(({ type }) => type === "resumed").length).toBeGreaterThan(kills / 4);
    expect(lines.filter(({ type }) => type === "ended")).toHaveLength(1);

    expect(processesOf(new Set(runIds))).toEqual([]);
    expect(existsSync(join(batch.directory, "work"))).toBe(false);
    expect(readdirSync(batch.directory).sort()).toEqual(["batch.jsonl", "cells"]);
    expect(readdirSync(tmpdir()).filter((name) => /^harness-c[0-9a-f]{15}-/.test(name))).toEqual([]);
    const repository = { cwd: join(directory, "repository"), encoding: "utf8" } as const;
    const worktrees = execFileSync("git", ["worktree", "list", "--porcelain"], repository);
    expect(worktrees.match(/^worktree /gm)).toHaveLength(1);
    expect(execFileSync("git", ["status", "--porcelain"], repository)).toBe("");
    expect(
      execFileSync("git", ["branch", "--format=%(refname)"], repository).trim().split("\n"),
    ).toHaveLength(1);
  }, 300_000);
});
