import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeProject } from "./fake-agent.js";
import {
  type CommandResult,
  harness,
  jsonLines,
  type StartedCommand,
  startHarness,
  temporaryDirectory,
} from "./harness.js";

let project = "";
let env: Record<string, string> = {};

beforeAll(async () => {
  project = await fakeProject();
  const cart = join(project, "cart");
  mkdirSync(cart);
  writeFileSync(join(cart, "total"), "0\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", cart, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "x");
});

beforeEach(() => {
  env = { XDG_DATA_HOME: temporaryDirectory() };
});

const batch = (...args: string[]): Promise<CommandResult> =>
  harness(["batch", ...args], { cwd: project, env });

/** Two tasks and two arms. What the tasks do is said in the script of the fake agent. */
function plan(prompts: { easy?: string; hard?: string } = {}, more = ""): string {
  const { easy = "write total 42; cost 0.1; say done", hard = "say sorry" } = prompts;
  writeFileSync(
    join(project, "plan.toml"),
    `name = "cart"
concurrency = 2
${more}
[[tasks]]
id = "easy"
prompt = ${JSON.stringify(easy)}
workspace = { git = "./cart", ref = "main" }
check = "grep -q 42 total"
[[tasks]]
id = "hard"
prompt = ${JSON.stringify(hard)}
check = "test -e answer"
[[arms]]
agent = "fake"
model = "big"
[[arms]]
id = "brief"
agent = "other"
append_system_prompt = "Be brief."
`,
  );
  return "plan.toml";
}

function batchesDirectory(): string {
  return join(env["XDG_DATA_HOME"] ?? "", "harness", "batches");
}

function idsOfBatches(): string[] {
  return existsSync(batchesDirectory()) ? readdirSync(batchesDirectory()).sort() : [];
}

function ledger(id = idsOfBatches().at(-1) ?? ""): Record<string, unknown>[] {
  return jsonLines(readFileSync(join(batchesDirectory(), id, "batch.jsonl"), "utf8"));
}

/** The ledger ends with the cells' verdicts: how many lines with one each cell has. */
function verdicts(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type, cellId } of ledger())
    if (type === "done") counts[String(cellId)] = (counts[String(cellId)] ?? 0) + 1;
  return counts;
}

const start = (...args: string[]): StartedCommand => startHarness(["batch", ...args], { cwd: project, env });

describe("harness batch", () => {
  it("runs every cell, prints a row for each and then the report", async () => {
    const { stdout, stderr, exitCode } = await batch(plan());
    expect(stderr).toBe("");
    const text = stdout.toString();
    expect(text).toMatch(/^batch \S+: 4 runs \(2 tasks × 2 arms × 1 repetition\), 2 at once\nkept in /);
    expect(text).toMatch(/^\[\d\/4\] ✓ passed {2}easy, fake-big, run 1 {2}.* {2}\$0\.10$/m);
    expect(text).toMatch(/^\[\d\/4\] ✗ failed {2}hard, brief, run 1 {2}.* {2}the check failed/m);
    expect(text.split("\n").filter((line) => line.startsWith("["))).toHaveLength(4);
    expect(text).toContain("fake-big");
    expect(text).not.toContain("\u001b");
    expect(exitCode).toBe(0);
    expect(Object.values(verdicts())).toEqual([1, 1, 1, 1]);
    expect(readFileSync(join(project, "cart", "total"), "utf8")).toBe("0\n");
  });

  it("prints the lines of the ledger with --format ndjson", async () => {
    const { stdout } = await batch(plan(), "-f", "ndjson");
    expect(jsonLines(stdout)).toEqual(ledger());
  });

  it("exits with 1 if an arm passes less than --fail-under", async () => {
    const file = plan();
    const low = await batch(file, "--fail-under", "50%");
    const high = await batch(file, "--fail-under", "0.6");
    expect([low.exitCode, high.exitCode]).toEqual([0, 1]);
    expect(high.stderr).toBe("harness: below --fail-under 60 %: fake-big, brief\n");
  });

  it("exits with 1 and says how to go on if the budget is spent", async () => {
    const { stderr, exitCode } = await batch(
      plan({}, "budget_usd = 0.15"),
      "--only",
      "easy",
      "--repeats",
      "4",
      "--concurrency",
      "1",
    );
    expect(stderr).toMatch(
      /the budget is spent, \d of 8 cells done; go on with: harness batch resume \S+ --budget-usd AMOUNT/,
    );
    expect(exitCode).toBe(1);
    const resumed = await batch("resume", "--budget-usd", "5");
    expect(resumed.stderr).toBe("");
    expect(resumed.exitCode).toBe(0);
    expect(Object.values(verdicts())).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("takes a part of the plan, and other numbers", async () => {
    await batch(plan(), "--only", "easy,brief", "--repeats", "3");
    const done = ledger().filter(({ type }) => type === "done");
    expect(done.map(({ taskId, armId }) => `${taskId} ${armId}`)).toEqual([
      "easy brief",
      "easy brief",
      "easy brief",
    ]);
    const wrong = await batch(plan(), "--only", "esy");
    expect(wrong.stderr).toContain('no task and no arm "esy"; did you mean "easy"?');
    expect(wrong.exitCode).toBe(2);
  });

  it("isolates the agents unless it is asked not to", async () => {
    const file = plan({ easy: "show FAKE_HOME; write total 42" });
    const homes = async (): Promise<(string | undefined)[]> => {
      const found = await harness(["sessions", "list", "--all", "--json"], { env });
      return JSON.parse(found.stdout.toString()).map((run: { isIsolated?: boolean }) => run.isIsolated);
    };
    await batch(file, "--only", "easy,brief", "--no-isolated");
    expect(await homes()).toEqual([undefined]);
    await batch(file, "--only", "easy,brief", "--new");
    expect((await homes()).filter(Boolean)).toEqual([true]);
  });

  it("keeps the workspaces with --keep, and says where", async () => {
    const { stderr } = await batch(plan(), "--only", "easy,brief", "--keep");
    const [, kept = ""] = /^harness: the workspaces are kept in (.*)\n$/.exec(stderr) ?? [];
    const [run = ""] = readdirSync(kept);
    expect(readFileSync(join(kept, run, "cart", "total"), "utf8")).toBe("42\n");
  });

  it("prints what agents say as plain text", async () => {
    const { stdout } = await batch(plan({ hard: "error \u001b[2Jauth" }), "--only", "hard,brief");
    expect(stdout.toString()).not.toContain("\u001b");
  });
});

describe("a plan that is wrong", () => {
  it.each([
    [
      "an unknown agent",
      'agent = "fake"',
      'agent = "fak"',
      /^harness: plan\.toml:\d+: arm "fak-big": unknown agent "fak"; did you mean "fake"\?/,
    ],
    [
      "an agent that cannot be isolated",
      'agent = "fake"\nmodel = "big"',
      'agent = "generic"\nbinary = "./fake.cjs"',
      /plan\.toml:\d+: arm "generic": .* cannot be isolated .*--no-isolated/,
    ],
    ["no repository", "./cart", "./nowhere", /^harness: plan\.toml:7: task easy: .*nowhere/],
    [
      "a commit that is not there",
      'ref = "main"',
      'ref = "mian"',
      /^harness: plan\.toml:7: task easy: .*mian/,
    ],
    [
      "an unknown key",
      "check =",
      "chek =",
      /^harness: plan\.toml:8: unknown key "chek"; did you mean "check"\?/,
    ],
    [
      "an effort that the agent does not know",
      'model = "big"',
      'effort = "huge"',
      /plan\.toml:\d+: arm "fake": .*does not know the effort/,
    ],
  ])("%s is refused before anything starts, with the line", async (_name, right, wrong, message) => {
    const file = plan();
    const text = readFileSync(join(project, file), "utf8");
    writeFileSync(join(project, file), text.replace(right, wrong));
    const { stderr, stdout, exitCode } = await batch(file);
    expect(stderr).toMatch(message);
    expect(stdout.toString()).toBe("");
    expect(exitCode).toBe(2);
    expect(idsOfBatches()).toEqual([]);
  });

  it("is refused if it is not there, and a command that was meant is suggested", async () => {
    expect((await batch("gone.toml")).stderr).toContain("cannot read gone.toml: there is no such file");
    expect((await batch("reprot")).stderr).toContain('did you mean "report"?');
    const nothing = await batch();
    expect(nothing.stderr).toContain("missing required argument 'plan'");
    expect(nothing.exitCode).toBe(2);
  });
});

describe("a dry run of a batch", () => {
  it("shows the cells and what would be executed, and leaves nothing behind", async () => {
    const { stdout, stderr, exitCode } = await batch(plan(), "--dry-run");
    const text = stdout.toString();
    expect(stderr).toBe("");
    expect(text).toMatch(/^cart: 2 tasks × 2 arms × 1 repetition = 4 runs\n/);
    expect(text).toMatch(/ {4}workspace {2}\S+\/cart at [0-9a-f]{12}\n/);
    expect(text).toMatch(/ {4}check {6}grep -q 42 total\n/);
    expect(text).toMatch(/ {4}command {6}\S+\/fake\.cjs /);
    expect(text).toMatch(/ {2}c[0-9a-f]{15} {2}easy, fake-big, run 1\n/);
    expect(text).toContain("Cost: unknown\n");
    expect(exitCode).toBe(0);
    expect(idsOfBatches()).toEqual([]);
  });

  it("has the ids of the cells that the batch then runs", async () => {
    const file = plan();
    const dry = jsonLines((await batch(file, "--dry-run", "-f", "ndjson")).stdout);
    await batch(file);
    expect(dry.map(({ cellId }) => cellId).sort()).toEqual(Object.keys(verdicts()).sort());
  });

  it("estimates the cost from earlier runs of the same agent and model", async () => {
    await batch(plan(), "--only", "easy,fake-big");
    const { stdout } = await batch(plan(), "--dry-run", "--repeats", "5");
    expect(stdout.toString()).toContain("cost         about $0.10 a run (1 earlier run)\n");
    expect(stdout.toString()).toContain("Cost: about $1.00 for 10 runs; unknown: brief\n");
  });
});

describe("a batch that is stopped", () => {
  /** The hard task ends when the file is there. The cells of the easy one come first. */
  const waiting = (file: string) => ({ easy: "write total 42", hard: `until ${file}; write answer x` });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("by %s ends in good order, and exactly what is missing is run later", async (signal, code) => {
    const gate = join(temporaryDirectory(), "gate");
    const { child, ended, says } = start(plan(waiting(gate)), "--repeats", "2");
    await says("[1/8]");
    child.kill(signal);
    const { stderr, exitCode, stdout } = await ended;
    const [id = ""] = idsOfBatches();
    expect(exitCode).toBe(code);
    expect(stderr).toContain("stopping: the runs under way are being ended");
    expect(stderr).toMatch(
      new RegExp(`cancelled, \\d+ of 8 cells done; go on with: harness batch resume ${id}\n`),
    );
    expect(stdout.toString()).toContain("fake-big");

    const again = await batch("plan.toml", "--repeats", "2");
    expect(again.stderr).toContain(`the batch ${id} has the same cells and is not finished`);
    expect(again.stderr).toContain(`harness batch resume ${id}`);
    expect(again.exitCode).toBe(2);

    writeFileSync(gate, "");
    const resumed = await batch("resume");
    expect(resumed.exitCode).toBe(0);
    expect(idsOfBatches()).toEqual([id]);
    expect(Object.values(verdicts())).toEqual(Array.from({ length: 8 }, () => 1));
    const nothing = await batch("resume", id);
    expect(nothing.stderr).toContain("nothing is missing");
    expect((await batch("resume")).stderr).toContain("is unfinished");
  });

  it("by SIGKILL can be resumed, and another one can be begun with --new", async () => {
    const gate = join(temporaryDirectory(), "gate");
    const { child, ended, says } = start(plan(waiting(gate)));
    await says("[1/4]");
    child.kill("SIGKILL");
    await ended;
    const status = await batch("status");
    expect(status.stdout.toString()).toMatch(/: interrupted\n/);
    expect(status.stdout.toString()).toContain("harness batch resume");
    writeFileSync(gate, "");
    expect((await batch("plan.toml", "--new")).exitCode).toBe(0);
    expect(idsOfBatches()).toHaveLength(2);
    expect((await batch("resume")).exitCode).toBe(0);
    expect(
      jsonLines((await batch("list", "--json")).stdout.toString().replace(/\s*\n\s*/g, " ")),
    ).toMatchObject([[{ state: "completed" }, { state: "completed" }]]);
  });

  it("names its directory where its id would not be found", async () => {
    const directory = join(temporaryDirectory(), "my batches");
    const only = ["--only", "easy,brief", "--directory", directory];
    const { stderr } = await batch(
      plan({ easy: "cost 1; say hi" }, "budget_usd = 0.5"),
      ...only,
      "--repeats",
      "3",
    );
    const [id = ""] = readdirSync(directory);
    expect(stderr).toContain(`go on with: harness batch resume '${join(directory, id)}' --budget-usd AMOUNT`);
    expect((await batch("resume", join(directory, id), "--budget-usd", "9")).exitCode).toBe(0);
    expect((await batch("list", "--directory", directory)).stdout.toString()).toContain(id);
    expect(idsOfBatches()).toEqual([]);
  });

  it("is killed by a second signal", async () => {
    const { child, ended, says } = start(
      plan({ easy: "say hi; sleep 60000" }),
      "--only",
      "easy,brief",
      "--repeats",
      "1",
    );
    await says("kept in");
    child.kill("SIGINT");
    child.kill("SIGINT");
    expect((await ended).exitCode).toBe(130);
  });

  it("cannot be resumed while it runs", async () => {
    const { child, ended, says } = start(plan({ easy: "sleep 60000" }), "--only", "easy");
    await says("kept in");
    const [id = ""] = idsOfBatches();
    const { stderr, exitCode } = await batch("resume", id);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/being run by the process \d+/);
    child.kill("SIGINT");
    await ended;
  });
});

describe("a batch afterwards", () => {
  it("is listed, shown and reported in every format", async () => {
    await batch(plan());
    const [id = ""] = idsOfBatches();
    expect((await batch("list")).stdout.toString()).toMatch(
      new RegExp(`${id} .*completed +4/4 +50 % +\\$0\\.20 +cart\n`),
    );
    expect((await batch("status", id.slice(0, -2))).stdout.toString()).toContain(
      `batch ${id}: completed\ncart  4 of 4 done`,
    );
    expect(JSON.parse((await batch("status", "--json")).stdout.toString())).toMatchObject({
      batchId: id,
      done: 4,
      passed: 2,
      missing: 0,
    });
    expect((await batch("report")).stdout.toString()).toContain("fake-big");
    JSON.parse((await batch("report", "-f", "json")).stdout.toString());
    expect((await batch("report", "-f", "junit")).stdout.toString()).toMatch(/^<\?xml/);
    for (const name of ["report.html", "report.md", "report.xml", "report.json", "report.txt"]) {
      const file = join(env["XDG_DATA_HOME"] ?? "", name);
      const { stderr, exitCode } = await batch("report", id, "-o", file);
      expect(stderr).toMatch(/^harness: wrote /);
      expect(exitCode).toBe(0);
      expect(readFileSync(file, "utf8")).toContain("fake-big");
    }
    expect((await batch("report", "-o", "x.pdf")).stderr).toContain("does not say which format is meant");
    const place = (name: string) => join(env["XDG_DATA_HOME"] ?? "", name);
    const several = ["--output", `junit=${place("tests.log")}`, "--output", place("all.html")];
    const written = await batch("report", ...several);
    expect(written.stdout.toString()).toBe("");
    expect(written.stderr).toMatch(/^harness: wrote .*tests.log .*\nharness: wrote .*all.html .*\n$/);
    expect(readFileSync(place("tests.log"), "utf8")).toMatch(/^<\?xml.*\n<testsuites name="cart" tests="4"/);
    const printed = await batch("report", "-f", "json", ...several.slice(0, 2));
    expect(JSON.parse(printed.stdout.toString())).toMatchObject({ name: "cart" });
    const refused = [
      ["--output", "text", "--output", "json"],
      ["--output", "junit="],
      ["--output", "junitt=x"],
      ["--output", "a.html", "-o", "a.html"],
    ];
    const sentences = await Promise.all(
      refused.map(async (words) => (await batch("report", ...words)).stderr),
    );
    expect(sentences[0]).toContain("standard output takes one report, not 2 (text, json)");
    expect(sentences[1]).toContain("names no file; write junit=FILE");
    expect(sentences[2]).toContain("Did you mean junit?");
    expect(sentences[3]).toContain("two outputs cannot be written to the same file");
  });

  it("is not found by a wrong id", async () => {
    expect((await batch("report")).stderr).toContain("there is no batch in");
    await batch(plan(), "--only", "hard,brief");
    await batch(plan(), "--only", "hard,brief");
    expect((await batch("status", "nope")).stderr).toContain('no batch has the id "nope"');
    expect((await batch("status", "20")).stderr).toContain('2 ids of batches begin with "20"');
  });

  it("keeps its runs out of the list of runs, unless they are asked for", async () => {
    await harness(["run", "-a", "fake", "-p", "say single"], { cwd: project, env });
    await batch(plan());
    const [id = ""] = idsOfBatches();
    const list = async (...args: string[]): Promise<{ prompts: string[]; stderr: string }> => {
      const { stdout, stderr } = await harness(["sessions", "list", "--json", ...args], { env });
      return {
        prompts: JSON.parse(stdout.toString()).map(({ prompt }: { prompt: string }) => prompt),
        stderr,
      };
    };
    const plain = await list();
    expect(plain.prompts).toEqual(["say single"]);
    expect(plain.stderr).toBe(
      "harness: 4 runs of batches not listed: --all, or --batch ID (harness batch list)\n",
    );
    expect((await list("--all")).prompts).toHaveLength(5);
    expect((await list("--batch", id.slice(0, -1))).prompts.sort()).toEqual([
      "say sorry",
      "say sorry",
      "write total 42; cost 0.1; say done",
      "write total 42; cost 0.1; say done",
    ]);
    const last = await harness(["sessions", "show", "last"], { env });
    expect(last.stdout.toString()).toMatch(/^say single\n/);
  });
});

describe("damaged batches", () => {
  it("are named, and hide no other", async () => {
    const batches = join(env["XDG_DATA_HOME"] ?? "", "harness", "batches");
    await batch(plan());
    const first = (name: string, more: object): void => {
      mkdirSync(join(batches, name));
      const line = {
        type: "batch",
        at: "2026-01-01T00:00:00Z",
        batchId: name,
        harness: "0",
        version: 1,
        ...more,
      };
      writeFileSync(join(batches, name, "batch.jsonl"), `${JSON.stringify(line)}\n`);
    };
    first("zz-1", {});
    first("zz-2", { plan: { name: "\u001b[2J", tasks: [], arms: [] } });
    const listed = await batch("list");
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout.toString()).toContain("completed");
    for (const name of ["zz-1", "zz-2"])
      expect(listed.stderr).toContain(`${name}/batch.jsonl is damaged: the plan is not complete`);
    const resumed = await batch("resume");
    expect(resumed.stderr).toMatch(/^harness: no batch in \S+ is unfinished/);
    for (const command of ["status", "report", "resume"]) {
      const { stderr, exitCode } = await batch(command, "zz-1");
      expect(stderr).toMatch(/zz-1\/batch\.jsonl is damaged: the plan is not complete\n$/);
      expect(exitCode).toBe(2);
    }
  });

  it("do not bring other files into the report", async () => {
    await batch(plan());
    const batches = join(env["XDG_DATA_HOME"] ?? "", "harness", "batches");
    const [id = ""] = readdirSync(batches);
    const secret = join(temporaryDirectory(), "secret");
    writeFileSync(secret, "+the content of another file\n");
    const cells = join(batches, id, "cells");
    for (const cell of readdirSync(cells)) {
      rmSync(join(cells, cell, "changes.patch"), { force: true });
      symlinkSync(secret, join(cells, cell, "changes.patch"));
    }
    const { stdout, exitCode } = await batch("report", "-f", "html");
    expect(exitCode).toBe(0);
    expect(stdout.toString()).not.toContain("the content of another file");
  });
});
