import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Batch, BatchOptions } from "../../src/batch/batch.js";
import type { LedgerLine } from "../../src/batch/model/ledger-line.js";
import type { BatchPlan } from "../../src/batch/model/plan.js";
import { readBatch } from "../../src/batch/read-batch.js";
import { planBatch, resumeBatch, runBatch } from "../../src/batch/run-batch.js";
import { recordings } from "../../src/runs/archive/recordings.js";
import { temporaryDirectory } from "../runs/test-agent.js";
import { failsWith, planOf, resolveShell, shellAgent, succeeds } from "./support/shell-agent.js";

function placesIn(directory: string): BatchOptions {
  return {
    batchesDirectory: join(directory, "batches"),
    sessionsDirectory: join(directory, "sessions"),
    resolveArm: resolveShell,
  };
}

async function finish(plan: Partial<BatchPlan>, options: BatchOptions = {}) {
  const directory = temporaryDirectory();
  const batch = await runBatch(planOf(plan), { ...placesIn(directory), ...options });
  return { directory, ...(await linesOf(batch)) };
}

async function linesOf(batch: Batch) {
  const lines: LedgerLine[] = [];
  for await (const line of batch) lines.push(line);
  const state = await batch.result;
  const cells = [...state.cells.values()];
  return { batch, lines, state, cells, results: cells.flatMap(({ result }) => result ?? []) };
}

const task = { id: "task", prompt: succeeds };
const typesOf = (lines: readonly LedgerLine[]) => lines.map(({ type }) => type);

describe("a batch", () => {
  it("whose executor cannot begin leaves nothing behind", async () => {
    const [directory, workDirectory] = [temporaryDirectory(), temporaryDirectory()];
    const executor = () => Promise.reject(new Error("no queue"));
    const options = { ...placesIn(directory), workDirectory, executor };
    await expect(runBatch(planOf({}), options)).rejects.toThrow("no queue");
    expect(readdirSync(workDirectory)).toEqual([]);
    expect(readdirSync(join(directory, "batches"))).toEqual([]);
  });

  it("runs every cell once, and its lines are those of the ledger", async () => {
    const arms = [{ agent: "x" }, { agent: "y" }];
    const { batch, lines, state, results, directory } = await finish({ arms, repeats: 3 });
    expect(results.map(({ verdict }) => verdict)).toEqual(Array(6).fill("passed"));
    expect(state.ended?.reason).toBe("completed");
    expect(typesOf(lines).filter((type) => type === "done")).toHaveLength(6);
    expect([lines[0]?.type, lines.at(-1)?.type]).toEqual(["batch", "ended"]);
    const spelled = readFileSync(join(batch.directory, "batch.jsonl"), "utf8").trim().split("\n");
    expect(spelled.map((line) => JSON.parse(line))).toEqual(lines);
    const read = readBatch(batch.directory);
    expect(read).toMatchObject({ isRunning: false, problems: [] });
    expect([...read.state.cells]).toEqual([...state.cells]);
    expect(state.costUsd).toBeCloseTo(0.06);
    expect(readdirSync(batch.directory).sort()).toEqual(["batch.jsonl", "cells"]);
    expect(statSync(batch.directory).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(directory, "sessions")).filter((name) => name.endsWith(".ndjson"))).toHaveLength(
      6,
    );
  });

  it("records each run under its cell, with the figures of the events", async () => {
    const prompt = [
      `echo '{"type":"model","model":"large"}'`,
      `echo '{"type":"say","text":"one"}'; echo '{"type":"say","text":"two"}'`,
      `echo '{"type":"command","text":"ls","ok":true}'; echo '{"type":"command","text":"rm","ok":false}'`,
      `echo '{"type":"warn","text":"request failed (429 Too Many Requests): retry 1/5"}'`,
      `echo hello > made.txt`,
      succeeds,
    ].join("\n");
    const { results, batch, directory } = await finish({
      tasks: [{ ...task, prompt }],
      arms: [{ agent: "shell", env: { SHELL_AGENT_KEY: "k" } }],
    });
    const [result] = results;
    expect(result).toMatchObject({
      verdict: "passed",
      outcome: { isSuccess: true, reason: "completed" },
      attempts: 1,
      model: "large",
      turns: 2,
      commands: { run: 2, failed: 1 },
      throttled: 1,
      costUsd: 0.01,
      usage: { totalTokens: 7 },
      authentication: "SHELL_AGENT_KEY",
      changes: { files: 1, insertions: 1, deletions: 0 },
    });
    expect(result?.runId).toMatch(/^c[0-9a-f]{15}-[0-9a-f]{12}$/);
    const found = await recordings.find(result?.runId ?? "", { directory: join(directory, "sessions") });
    expect(found.meta.batch).toEqual({ id: batch.batchId, cell: result?.cellId });
    const patch = readFileSync(join(batch.directory, "cells", result?.cellId ?? "", "changes.patch"), "utf8");
    expect(patch).toContain("+hello");
  });

  it("works in a fresh directory for each run, which is removed, and in a home of its own", async () => {
    const prompt = `echo "{\\"type\\":\\"say\\",\\"text\\":\\"$PWD $SHELL_AGENT_HOME\\"}"; ls -A | grep . && exit 1; touch x; ${succeeds}`;
    const { results, directory } = await finish({ tasks: [{ ...task, prompt }], repeats: 3, isolated: true });
    expect(results.map(({ verdict }) => verdict)).toEqual(Array(3).fill("passed"));
    const said = await Promise.all(
      results.map(async ({ runId = "" }) => {
        const place = { directory: join(directory, "sessions"), agent: shellAgent };
        for await (const event of await recordings.replay(runId, place))
          if (event.type === "agent") return event.message;
        return "";
      }),
    );
    const paths = said.flatMap((text) => text.split(" "));
    expect(new Set(paths).size).toBe(6);
    expect(paths.filter((path) => existsSync(path))).toEqual([]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("harness-c"))).toEqual([]);
  });

  it("keeps workspaces if it is asked to", async () => {
    const prompt = `echo hello > kept.txt; ${succeeds}`;
    const { batch } = await finish({ tasks: [{ ...task, prompt }] }, { keep: true });
    const kept = execFileSync("find", [batch.directory, "-name", "kept.txt"], { encoding: "utf8" });
    expect(kept).toContain("work-kept");
  });

  it("has its workspaces outside the home, where agents would read files of the user in the directories above", async () => {
    const home = temporaryDirectory();
    const before = process.env["HOME"];
    process.env["HOME"] = home;
    onTestFinished(() => {
      process.env["HOME"] = before;
    });
    const prompt = `case "$PWD" in ${home}/*) ;; *) ${succeeds} ;; esac`;
    const { batch, results } = await finish(
      { tasks: [{ ...task, prompt }] },
      { batchesDirectory: join(home, "batches") },
    );
    expect(results[0]?.verdict).toBe("passed");
    expect(existsSync(join(tmpdir(), `harness-${basename(batch.directory)}`))).toBe(false);
  });

  it("may have its workspaces elsewhere", async () => {
    const elsewhere = temporaryDirectory();
    const prompt = `case "$PWD" in ${elsewhere}/*) ${succeeds} ;; esac`;
    const { results } = await finish({ tasks: [{ ...task, prompt }] }, { workDirectory: elsewhere });
    expect(results[0]?.verdict).toBe("passed");
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe("the verdict", () => {
  const cases: Record<string, [task: Partial<BatchPlan["tasks"][number]>, result: object]> = {
    "passes if the agent succeeds and there is no check": [{}, { verdict: "passed" }],
    "fails if the agent fails and there is no check": [
      { prompt: failsWith("refusal") },
      { verdict: "failed", reason: "failed: refusal", outcome: { isSuccess: false } },
    ],
    "passes if the agent fails and the check passes": [
      { prompt: failsWith("max_turns"), check: "true" },
      { verdict: "passed", outcome: { isSuccess: false, failure: { kind: "max_turns" } } },
    ],
    "fails if the agent succeeds and the check fails": [
      { check: "echo not so; exit 3" },
      {
        verdict: "failed",
        reason: "the check failed with exit code 3",
        outcome: { isSuccess: true },
        check: { exitCode: 3, tail: expect.stringContaining("not so") },
      },
    ],
    "fails if the check takes too long": [
      { check: "sleep 60", checkTimeoutMs: 100 },
      { verdict: "failed", reason: "the check took too long and was stopped", check: { isTimedOut: true } },
    ],
    "fails if the agent takes too long": [
      { prompt: "sleep 60", timeoutMs: 200 },
      { verdict: "failed", outcome: { reason: "timed_out" } },
    ],
    "is an error if the setup fails, and the agent is not started": [
      { setup: "echo no network; exit 1", check: "true" },
      {
        verdict: "error",
        reason: "the setup failed with exit code 1",
        setup: { exitCode: 1, tail: expect.stringContaining("no network") },
      },
    ],
    "is an error if the account is in the way, whatever the check says": [
      { prompt: failsWith("quota"), check: "true" },
      { verdict: "error", reason: "failed: quota" },
    ],
  };
  it.each(Object.entries(cases))("%s", async (_name, [changes, expected]) => {
    const { results } = await finish({ tasks: [{ ...task, ...changes }], retries: 0 });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject(expected);
    if (changes.setup !== undefined) {
      expect(results[0]?.outcome).toBeUndefined();
      expect(results[0]?.check).toBeUndefined();
    }
  });

  it("comes from a check that sees what the setup and the agent did, and the logs are kept", async () => {
    const { results, batch } = await finish({
      tasks: [
        {
          id: "task",
          prompt: `cat from-setup > from-agent; ${succeeds}`,
          setup: "echo prepared | tee from-setup",
          check: "grep prepared from-agent",
        },
      ],
    });
    expect(results[0]).toMatchObject({ verdict: "passed", changes: { files: 1 } });
    const files = join(batch.directory, "cells", results[0]?.cellId ?? "");
    expect(readFileSync(join(files, "setup.log"), "utf8")).toBe("prepared\n");
    expect(readFileSync(join(files, "check.log"), "utf8")).toBe("prepared\n");
    expect(statSync(join(files, "check.log")).mode & 0o777).toBe(0o600);
  });
});

describe("a batch that cannot be right is refused before anything starts:", () => {
  const wrong: Record<string, [plan: Partial<BatchPlan>, message: string, code: string]> = {
    "an unknown agent": [
      { arms: [{ agent: "claud" }] },
      'arm "claud": unknown agent "claud"',
      "unknown_agent",
    ],
    "an option that the agent lacks": [
      { arms: [{ agent: "claude" }, { agent: "goose", maxBudgetUsd: 3 }] },
      'arm "goose": ',
      "unsupported_option",
    ],
    "a home without isolation": [
      { arms: [{ agent: "claude", home: "/" }] },
      'arm "claude": ',
      "invalid_option",
    ],
    "an agent that cannot be isolated": [
      { isolated: true, arms: [{ agent: "generic", binary: "sh" }] },
      'arm "generic": ',
      "unsupported_option",
    ],
    "a repository that is not there": [
      { tasks: [{ ...task, workspace: { git: "/nowhere/at/all" } }], arms: [{ agent: "claude" }] },
      "/nowhere/at/all",
      "bad_workspace",
    ],
    "an id that is not in the plan": [{}, "no task and no arm", "invalid_plan"],
  };
  it.each(Object.entries(wrong))("%s", async (name, [plan, message, code]) => {
    const directory = temporaryDirectory();
    const options = {
      ...placesIn(directory),
      resolveArm: undefined,
      ...(name.startsWith("an id") && { only: ["nothing"] }),
    };
    await expect(runBatch(planOf(plan), options)).rejects.toMatchObject({ code });
    await expect(planBatch(planOf(plan), options)).rejects.toThrow(message);
    expect(existsSync(join(directory, "batches")) ? readdirSync(join(directory, "batches")) : []).toEqual([]);
  });
});

it("a dry run lists the cells that the batch would have, and leaves nothing", async () => {
  const directory = temporaryDirectory();
  const copied = temporaryDirectory();
  writeFileSync(join(copied, "file"), "content");
  const plan = planOf({ repeats: 2, tasks: [{ ...task, workspace: { copy: copied } }] });
  const options = placesIn(directory);
  const planned = await planBatch(plan, options);
  expect(readdirSync(directory)).toEqual([]);
  expect(planned.cells.map(({ repetition }) => repetition)).toEqual([1, 2]);
  const { state } = await linesOf(await runBatch(plan, options));
  expect([...state.cells.keys()]).toEqual(planned.cells.map(({ id }) => id));
});

describe("failures that", () => {
  it("pass by themselves are tried again, in a fresh workspace, and counted", async () => {
    const directory = temporaryDirectory();
    // The number of attempts is kept outside of the workspace.
    const prompt = `ls -A | grep . && exit 9; touch x; echo >> ${directory}/tries; [ $(wc -l < ${directory}/tries) -ge 3 ] && ${succeeds} || { ${failsWith("stalled")}; }`;
    const { results, lines } = await finish({ tasks: [{ ...task, prompt }] });
    expect(results[0]).toMatchObject({ verdict: "passed", attempts: 3 });
    expect(results[0]?.retries.map(({ failure }) => failure.kind)).toEqual(["stalled", "stalled"]);
    expect(typesOf(lines)).toEqual([
      "batch",
      "started",
      "retrying",
      "started",
      "retrying",
      "started",
      "done",
      "ended",
    ]);
  });

  it("do not pass within the allowed attempts are errors, and are run again on resume", async () => {
    const { results, batch } = await finish({
      tasks: [{ ...task, prompt: failsWith("provider"), check: "true" }],
      retries: 0,
    });
    expect(results[0]).toMatchObject({ verdict: "error", reason: "failed: provider", attempts: 1 });
    const again = await linesOf(await resumeBatch(batch.directory, { resolveArm: resolveShell }));
    expect(again.results[0]).toMatchObject({ verdict: "error", attempts: 2 });
  });

  it("will not pass stop their agent after three cells, and the others go on", async () => {
    const prompt = `[ "$WHO" = bad ] && { ${failsWith("auth")}; }; ${succeeds}`;
    const arms = [
      { agent: "bad", env: { WHO: "bad" } },
      { agent: "good", env: { WHO: "good" } },
    ];
    const { lines, cells, state, batch } = await finish({
      tasks: [{ ...task, prompt }],
      arms,
      repeats: 6,
      concurrency: 1,
    });
    const ofArm = (id: string) => cells.filter(({ cell }) => cell.arm.id === id);
    expect(ofArm("good").map(({ result }) => result?.verdict)).toEqual(Array(6).fill("passed"));
    expect(ofArm("bad").map(({ status }) => status)).toEqual([
      ...Array(3).fill("done"),
      ...Array(3).fill("skipped"),
    ]);
    expect(ofArm("bad").at(-1)?.reason).toBe(
      "bad was stopped, because its first cells all failed: failed: auth",
    );
    expect(lines.filter(({ type }) => type === "agent_stopped")).toMatchObject([{ agent: "bad" }]);
    expect(state.stoppedAgents.get("bad")).toMatchObject({ kind: "auth" });
    expect(state.ended?.reason).toBe("completed");
    // All six are tried again, and fail again.
    const again = await linesOf(await resumeBatch(batch.directory, { resolveArm: resolveShell }));
    expect(typesOf(again.lines)[0]).toBe("resumed");
    expect(again.lines.filter(({ type }) => type === "started").length).toBeGreaterThanOrEqual(3);
    expect(again.state.stoppedAgents.has("bad")).toBe(true);
  });

  it("come after a success do not stop the agent", async () => {
    const prompt = `[ "$WHO" = bad ] && { ${failsWith("model_not_found")}; }; ${succeeds}`;
    const arms = [
      { id: "good", agent: "shell", env: { WHO: "good" } },
      { id: "bad", agent: "shell", env: { WHO: "bad" } },
    ];
    const { state } = await finish({ tasks: [{ ...task, prompt }], arms, repeats: 4, concurrency: 1 });
    expect(state.stoppedAgents.size).toBe(0);
  });
});

describe("a budget", () => {
  const prompt = `echo '{"type":"done","cost":1}'`;

  it("ends the batch before it is exceeded, and a larger one lets it go on", async () => {
    const { batch, state } = await finish({
      tasks: [{ ...task, prompt }],
      repeats: 8,
      budgetUsd: 3.5,
      concurrency: 4,
    });
    expect(state.ended?.reason).toBe("budget");
    expect(state.costUsd).toBe(3);
    const options = { resolveArm: resolveShell, plan: { budgetUsd: 100 } };
    const again = await linesOf(await resumeBatch(batch.directory, options));
    expect(again.state.ended?.reason).toBe("completed");
    expect(again.state.costUsd).toBe(8);
    expect(again.lines.filter(({ type }) => type === "done")).toHaveLength(5);
  });

  it("says which arms it does not limit", async () => {
    const free = `echo '{"type":"done"}'`;
    const { batch, state } = await finish({ tasks: [{ ...task, prompt: free }], repeats: 3, budgetUsd: 1 });
    expect(state.ended?.reason).toBe("completed");
    expect(batch.warnings).toEqual([
      "shell reports no cost, and its model has no known price: the budget does not limit it",
    ]);
  });
});

describe("cancelling", () => {
  const phases: Record<string, Partial<BatchPlan["tasks"][number]>> = {
    "the agent": { prompt: "touch $FLAG; sleep 60" },
    "the setup": { setup: "touch $FLAG; sleep 60" },
    "the check": { check: "touch $FLAG; sleep 60" },
  };
  it.each(Object.entries(phases))(
    "while %s runs leaves nothing, and the cell is run on resume",
    async (_name, changes) => {
      const directory = temporaryDirectory();
      const flag = join(directory, "flag");
      const withFlag = Object.fromEntries(
        Object.entries(changes).map(([key, value]) => [
          key,
          `[ -e ${flag} ] || { ${String(value).replace("$FLAG", flag)}; }; ${key === "prompt" ? succeeds : "true"}`,
        ]),
      );
      const controller = new AbortController();
      const batch = await runBatch(
        planOf({ tasks: [{ ...task, ...withFlag }], repeats: 1, concurrency: 1 }),
        {
          ...placesIn(directory),
          signal: controller.signal,
        },
      );
      while (!existsSync(flag)) await new Promise((resolve) => setTimeout(resolve, 10));
      controller.abort();
      const { state, lines } = await linesOf(batch);
      expect(typesOf(lines)).toEqual(["batch", "started", "ended"]);
      expect(state.ended?.reason).toBe("cancelled");
      expect([...state.cells.values()].map(({ status }) => status)).toEqual(["waiting"]);
      expect(existsSync(join(batch.directory, "work"))).toBe(false);
      const again = await linesOf(
        await resumeBatch(batch.directory, { ...placesIn(directory), resolveArm: resolveShell }),
      );
      expect(again.results).toMatchObject([{ verdict: "passed", attempts: 2 }]);
    },
  );

  it("before it begins starts nothing", async () => {
    const { lines } = await finish({ repeats: 3 }, { signal: AbortSignal.abort() });
    expect(typesOf(lines)).toEqual(["batch", "ended"]);
  });
});

describe("resuming", () => {
  it("a batch that is complete runs nothing", async () => {
    const { batch } = await finish({ repeats: 2 });
    const { lines, results } = await linesOf(
      await resumeBatch(batch.directory, { resolveArm: resolveShell }),
    );
    expect(typesOf(lines)).toEqual(["resumed", "ended"]);
    expect(results).toHaveLength(2);
  });

  it("is refused while it runs", async () => {
    const directory = temporaryDirectory();
    const batch = await runBatch(planOf({ tasks: [{ ...task, prompt: "sleep 60" }] }), placesIn(directory));
    expect(readBatch(batch.directory).isRunning).toBe(true);
    await expect(resumeBatch(batch.directory, { resolveArm: resolveShell })).rejects.toMatchObject({
      code: "batch_running",
    });
    batch.cancel();
    await batch.result;
  });

  it("is refused if an arm is not what it was, and not for another key", async () => {
    const { batch } = await finish({});
    const changed = (env: Record<string, string>) =>
      resumeBatch(batch.directory, { resolveArm: (arm) => ({ ...resolveShell(arm), env }) });
    await expect(changed({ MODE: "other" })).rejects.toMatchObject({ code: "batch_changed" });
    expect(readBatch(batch.directory).isRunning).toBe(false);
    const home = temporaryDirectory();
    mkdirSync(join(home, ".shell"));
    const arms = [{ agent: "shell", home, env: { SHELL_AGENT_KEY: "one" } }];
    const other = await finish({ arms, isolated: true });
    const key = { SHELL_AGENT_KEY: "two" };
    const again = await resumeBatch(other.batch.directory, {
      resolveArm: (arm) => ({ ...resolveShell(arm), env: key }),
    });
    await again.result;
    writeFileSync(join(home, ".shell", "settings"), "new");
    await expect(resumeBatch(other.batch.directory, { resolveArm: resolveShell })).rejects.toMatchObject({
      code: "batch_changed",
    });
  });

  it("a directory without a batch is an error", async () => {
    await expect(resumeBatch(temporaryDirectory())).rejects.toMatchObject({ code: "unknown_batch" });
  });
});
