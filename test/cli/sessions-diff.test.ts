import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { generic } from "../../src/agents/generic/definition.js";
import { checkRecording } from "../faults/check-recording.js";
import { harness, homeEnvironment, program, startHarness, temporaryDirectory } from "./harness.js";

/** Before the run, `dirty.txt` is changed and `mine.txt` is untracked. */
function repository(): string {
  const root = temporaryDirectory();
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(root, "dirty.txt"), "committed\n");
  writeFileSync(join(root, "gone.txt"), "gone\n");
  writeFileSync(join(root, "src", "old.ts"), "1\n2\n3\n4\n5\n6\n7\n8\n");
  git(root, "init", "-q");
  git(root, "add", ".");
  commit(root);
  writeFileSync(join(root, "dirty.txt"), "committed\nmine\n");
  writeFileSync(join(root, "mine.txt"), "mine\n");
  return root;
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
    cwd,
    encoding: "utf8",
  });
}

function commit(cwd: string): void {
  git(cwd, "commit", "-q", "-m", "first");
}

/** An agent that edits, adds, renames, deletes and commits. */
const busy = `
  const fs = require("node:fs");
  const { execFileSync } = require("node:child_process");
  fs.writeFileSync("a.txt", "one\\n2\\nthree\\n");
  fs.appendFileSync("dirty.txt", "agent\\n");
  fs.writeFileSync("new \\u00fc.txt", "new\\n");
  fs.writeFileSync("picture.bin", Buffer.from([0, 1, 2, 255]));
  fs.renameSync("src/old.ts", "src/new.ts");
  fs.rmSync("gone.txt");
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qam", "by the agent"]);
  console.log("done");
`;

async function runIn(cwd: string, script: string, ...options: string[]): Promise<Record<string, unknown>> {
  const args = ["run", "-a", "generic", "--binary", program(script), "-p", "x", "-f", "json", ...options];
  const { stdout, stderr } = await harness(args, { cwd, env: { HARNESS_CHANGES: "1" } });
  if (stdout.length === 0) throw new Error(stderr);
  return JSON.parse(stdout.toString());
}

let root = "";
let id = "";
beforeAll(async () => {
  root = repository();
  id = String((await runIn(root, busy))["runId"]);
});

describe("sessions diff", () => {
  it("prints the patch byte for byte, so that git takes the changes back and leaves the user's own", async () => {
    const { stdout, stderr, exitCode } = await harness(["sessions", "diff", id]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    const patch = join(temporaryDirectory(), "p.patch");
    writeFileSync(patch, stdout);
    git(root, "apply", "-R", patch);
    expect(readFileSync(join(root, "dirty.txt"), "utf8")).toBe("committed\nmine\n");
    expect(readFileSync(join(root, "mine.txt"), "utf8")).toBe("mine\n");
    git(root, "reset", "-q", "HEAD~1");
    expect(git(root, "status", "--porcelain")).toBe(" M dirty.txt\n?? mine.txt\n");
  });

  it("lists the files with their lines", async () => {
    const { stdout } = await harness(["sessions", "diff", id, "--stat"]);
    expect(stdout.toString()).toBe(
      [
        "a.txt                    +1 −1",
        "dirty.txt                +1 −0",
        "gone.txt                 +0 −1  deleted",
        "new ü.txt                +1 −0  added",
        "picture.bin              binary  added",
        "src/old.ts → src/new.ts  renamed",
        "6 files changed, +3 −2",
        "",
      ].join("\n"),
    );
  });

  it("gives the same as JSON, and takes `last`", async () => {
    const { stdout } = await harness(["sessions", "diff", "last", "--json"]);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      source: "git",
      root,
      insertions: 3,
      deletions: 2,
      files: { length: 6 },
    });
  });
});

describe("a harness that is killed in the middle of a run", () => {
  it("leaves a recording that reads as interrupted, and a private directory for a later run to remove", async () => {
    const cwd = repository();
    const data = temporaryDirectory();
    const env = { HARNESS_CHANGES: "1", XDG_DATA_HOME: data };
    const script = `require("node:fs").writeFileSync("a.txt", "changed\\n"); console.log("under way"); setInterval(() => {}, 1000);`;
    const args = (agent: string) => ["run", "-a", "generic", "--binary", program(agent), "-p", "x"];
    const { child, ended, says } = startHarness([...args(script), "-f", "raw"], { cwd, env });
    await says("under way");
    child.kill("SIGKILL");
    await ended;
    const sessions = join(data, "harness", "sessions");
    const [runId = ""] = readdirSync(sessions).flatMap((name) => /^(.+)\.meta\.json$/.exec(name)?.[1] ?? []);
    const recording = await checkRecording(sessions, runId, generic);
    expect(recording).toMatchObject({ state: "interrupted", problems: [] });
    expect(recording.records.map(({ stream }) => stream)).toContain("stdout");
    const { stdout } = await harness(["sessions", "show", "last", "--json"], { env });
    expect(JSON.parse(stdout.toString())).toMatchObject({ outcome: "interrupted" });
    const places = join(data, "harness", "changes");
    const [left = "", ...others] = readdirSync(places);
    expect([left.split("-")[0], others]).toEqual([String(child.pid), []]);
    // The user's repository has nothing of it.
    expect(git(cwd, "status", "--porcelain")).toBe(" M a.txt\n M dirty.txt\n?? mine.txt\n");
    await harness(args(`console.log("done")`), { cwd, env });
    expect(readdirSync(places)).toEqual([left]);
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
    utimesSync(join(places, left, "owner.json"), longAgo, longAgo);
    await harness(args(`console.log("done")`), { cwd, env });
    expect(readdirSync(places)).toEqual([]);
  });
});

describe("the streams of a run that changed files", () => {
  it("are what translate makes of its raw lines, and --explain names the record", async () => {
    const recording = join(homeEnvironment().XDG_DATA_HOME, "harness", "sessions", id);
    const raw = join(recording, "raw.jsonl");
    const { stdout } = await harness(["translate", "-a", "generic", "-f", "events", raw]);
    expect(stdout.toString()).toBe(readFileSync(join(recording, "events.jsonl"), "utf8"));
    const explained = await harness(["translate", "-a", "generic", "--explain", raw]);
    expect(explained.stdout.toString()).toMatch(
      /\n +\d+ \[changes\] \{"root":.+\n {6}→ changes\(6 files, \+3 -2\)\n/,
    );
  });

  it.each(["events", "ndjson", "run-events"])(
    "%s has nothing about it, also in the recording",
    async (format) => {
      const { stdout, exitCode } = await harness(["sessions", "export", id, "-f", format]);
      expect(exitCode).toBe(0);
      expect(stdout.toString()).not.toContain("new ü.txt");
    },
  );

  it("full has it", async () => {
    const { stdout } = await harness(["sessions", "export", id, "-f", "full"]);
    expect(stdout.toString()).toMatch(/"type":"changes".*new ü\.txt/);
  });
});

describe("sessions diff of a run that was not compared", () => {
  it("says so", async () => {
    const cwd = repository();
    const script = `require("node:fs").writeFileSync("x.txt", "x\\n"); console.log("done");`;
    const report = await runIn(cwd, script, "--no-changes");
    expect(report).not.toHaveProperty("changes");
    const { stderr, exitCode } = await harness(["sessions", "diff", String(report["runId"])]);
    expect(stderr).toContain(`what ${report["runId"]} changed is not known`);
    expect(exitCode).not.toBe(0);
  });

  it("prints what the edits of a demo said, relative to where it was recorded", async () => {
    const run = await harness(["demo", "--fast", "-f", "text"], { cwd: repository() });
    expect(run.stdout.toString()).toMatch(/Changed {4}1 file \+1 −1\n +src\/total\.js {2}\+1 −1\n/);
    expect(run.stdout.toString()).not.toContain("outside the repository");
    const { stdout, stderr } = await harness(["sessions", "diff", "last"]);
    expect(stdout.toString()).toMatch(/^diff --git a\/src\/total\.js b\/src\/total\.js\n/);
    expect(stderr).toContain("cannot be applied");
  });
});
