import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { installedProgram, lockedAgents } from "../../../scripts/agents/cache.mjs";
import type { LedgerLine } from "../../../src/batch/model/ledger-line.js";
import {
  call,
  prepareAgent,
  runCommand,
  type Scenario,
  type ScriptedModel,
  say,
  startScriptedModel,
} from "../../../src/testing/index.js";
import { describeWithRedis, startRedis } from "../../queue/support/redis-server.js";

/**
 * Two real agents × two tasks × three repetitions with the built command: killed in the middle and resumed; and over Redis with
 * three workers, one of which is killed.
 */
const scenario: Scenario = {
  turns: [[say("There is no such task.")]],
  usage: { input: 100, output: 20 },
  subagents: [
    { prompt: "TASK-FIX", turns: [[call(runCommand("echo fixed > total.txt"))], [say("It is fixed.")]] },
    { prompt: "TASK-LOOK", turns: [[call(runCommand("cat note.txt"))], [say("It is a note.")]] },
  ],
};

const command = fileURLToPath(new URL("../../../dist/cli/main.cjs", import.meta.url));
const agents = ["claude", "codex"] as const;
const programs = agents.map((id) => {
  const locked = lockedAgents().find(({ name }) => name === id);
  return locked && installedProgram(locked);
});
const cells = 12;
const patienceMs = 120_000;

let root: string;
let model: ScriptedModel;
let env: Record<string, string>;
const children: ChildProcess[] = [];

describe.skipIf(programs.includes(undefined))("a batch of real agents", () => {
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "harness-batch-"));
    model = await startScriptedModel({ scenario });
    env = await prepare();
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await model.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });

  it("is killed in the middle, resumed, and reported", { timeout: 2 * patienceMs }, async () => {
    const killed = start("batch", "plan.toml");
    await until(() => count("done") >= 3 && count("started") > count("done"));
    killed.child.kill("SIGKILL");
    await killed.exited;
    expect(count("done")).toBeLessThan(cells);
    const resumed = start("batch", "resume");
    expect(await resumed.exited, resumed.printed()).toBe(0);
    expectWhole();
    const report = start("batch", "report", "-f", "json");
    expect(await report.exited).toBe(0);
    expect(report.printed()).toContain("claude");
    const html = join(root, "report.html");
    expect(await start("batch", "report", "-f", "html", "-o", html).exited).toBe(0);
    expect(readFileSync(html, "utf8")).toMatch(/^<!doctype html>/i);
    const keep = process.env["HARNESS_AGENTS_KEEP"];
    if (keep !== undefined) writeFileSync(join(keep, "batch-report.html"), readFileSync(html));
  });

  describeWithRedis("over Redis", () => {
    it("runs on three workers, one of which is killed", { timeout: 2 * patienceMs }, async () => {
      const redis = await startRedis();
      try {
        const workers = [1, 2, 3].map(() => start("worker", "--queue", redis.url, "--concurrency", "1"));
        const batch = start("batch", "plan.toml", "--queue", redis.url);
        await until(
          () => count("done") >= 2 && count("started") > count("done"),
          () => [batch, ...workers].map(({ printed }) => printed()).join("\n"),
        );
        const [first] = workers;
        first?.child.kill("SIGKILL");
        expect(await batch.exited, batch.printed()).toBe(0);
        expectWhole();
        for (const worker of workers.slice(1)) worker.child.kill("SIGTERM");
        for (const worker of workers.slice(1)) expect(await worker.exited, worker.printed()).toBe(0);
      } finally {
        await redis.close();
      }
    });
  });
});

/** Every cell has passed exactly once, and nothing is left. */
function expectWhole(): void {
  const done = ledger().filter((line) => line.type === "done");
  expect(done.map(({ verdict, reason }) => [verdict, reason])).toEqual(done.map(() => ["passed", undefined]));
  expect(new Set(done.map(({ cellId }) => cellId)).size).toBe(cells);
  expect(done).toHaveLength(cells);
  for (const { taskId, changes } of done) expect(changes?.files).toBe(taskId === "fix" ? 1 : 0);
  for (const { runId = "" } of done)
    expect(existsSync(join(root, "user/.local/share/harness/sessions", `${runId}.ndjson`))).toBe(true);
  const worktrees = execFileSync("git", ["-C", join(root, "repository"), "worktree", "list"], {
    encoding: "utf8",
  });
  expect(worktrees.trim().split("\n")).toHaveLength(1);
  expect(readdirSafely(join(batchDirectory() ?? "", "work"))).toEqual([]);
}

async function prepare(): Promise<Record<string, string>> {
  for (const folder of ["user", "seed", "repository", "files", "bin"]) mkdirSync(join(root, folder));
  for (const [index, agent] of agents.entries()) symlinkSync(programs[index] ?? "", join(root, "bin", agent));
  writeFileSync(join(root, "files/note.txt"), "A note.\n");
  writeFileSync(join(root, "repository/total.txt"), "broken\n");
  const git = ["-C", join(root, "repository"), "-c", "user.name=t", "-c", "user.email=t@example.com"];
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "begin"],
  ])
    execFileSync("git", [...git, ...args]);
  writeFileSync(join(root, "plan.toml"), planText());
  const place = { home: join(root, "seed"), workspace: root, modelUrl: model.url };
  const claude = await prepareAgent("claude", place);
  const codex = await prepareAgent("codex", place);
  const { CODEX_HOME, CLAUDE_CONFIG_DIR, HOME, PWD, ...rest } = { ...claude.env, ...codex.env };
  const user = join(root, "user");
  return {
    ...rest,
    HOME: user,
    PATH: `${join(root, "bin")}${delimiter}${process.env["PATH"]}`,
    TMPDIR: tmpdir(),
    XDG_DATA_HOME: join(user, ".local/share"),
    XDG_CONFIG_HOME: join(user, ".config"),
    XDG_STATE_HOME: join(user, ".local/state"),
    XDG_CACHE_HOME: join(user, ".cache"),
  };
}

function planText(): string {
  const arms = agents.map((agent) => `[[arms]]\nagent = "${agent}"\nhome = "seed"\n`);
  return `name = "real"
repeats = 3
concurrency = 2
timeout = "2m"
[[tasks]]
id = "fix"
prompt = "TASK-FIX The total is wrong. Fix it."
workspace = { git = "repository" }
check = "grep -q fixed total.txt"
[[tasks]]
id = "look"
prompt = "TASK-LOOK What is in note.txt?"
workspace = { copy = "files" }
check = "test -s note.txt"
${arms.join("")}`;
}

function start(...args: string[]) {
  const child = spawn(process.execPath, [command, ...args], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (text += chunk));
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, exited, printed: () => text };
}

function batchDirectory(): string | undefined {
  const batches = join(root, "user/.local/share/harness/batches");
  const [name] = readdirSafely(batches);
  return name === undefined ? undefined : join(batches, name);
}

function ledger(): LedgerLine[] {
  const directory = batchDirectory();
  if (directory === undefined || !existsSync(join(directory, "batch.jsonl"))) return [];
  const lines = readFileSync(join(directory, "batch.jsonl"), "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as LedgerLine);
}

function count(type: LedgerLine["type"]): number {
  return ledger().filter((line) => line.type === type).length;
}

function readdirSafely(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

async function until(condition: () => boolean, about = () => ""): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!condition()) {
    if (Date.now() > deadline)
      throw new Error(`it did not come that far: ${JSON.stringify(ledger().slice(1))}\n${about()}`);
    await sleep(50);
  }
}
