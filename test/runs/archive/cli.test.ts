import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { type CommandResult, commandPath, harness, jsonLines } from "../../cli/harness.js";
import { temporaryDirectory } from "../test-agent.js";
import { metaOf, recordCapture, unendedMeta, writeRecording } from "./recordings.js";

/** Each of them is a process of its own. */
vi.setConfig({ testTimeout: 60_000 });

interface Home {
  directory: string;
  env: { XDG_DATA_HOME: string };
  sessions(...args: string[]): Promise<CommandResult>;
}

/** A home with recordings of its own. */
function createHome(): Home {
  const env = { XDG_DATA_HOME: temporaryDirectory() };
  return {
    directory: join(env.XDG_DATA_HOME, "harness", "sessions"),
    env,
    sessions: (...args) => harness(["sessions", ...args], { env, cwd: env.XDG_DATA_HOME }),
  };
}

const day = (number: number): string => `2026-11-0${number}T10:00:00.000Z`;

describe("sessions list", () => {
  it("shows what there is, newest first, one line each", async () => {
    const { directory, sessions } = createHome();
    writeRecording(directory, metaOf({ startedAt: day(1), prompt: "First\nof two lines \u001b[31m" }));
    writeRecording(
      directory,
      metaOf({
        startedAt: day(2),
        agent: "codex",
        costUsd: 0.5,
        usage: { totalTokens: 12_345, scope: "run" },
      }),
    );
    const { stdout, stderr, exitCode } = await sessions("list");
    expect(stdout.toString().split("\n")).toEqual([
      expect.stringMatching(/^ID +WHEN +AGENT +MODEL +OUTCOME +TOOK +TOKENS +COST +PROMPT$/),
      expect.stringMatching(
        /^20261102-100000-00abcd +\d+[a-z] ago +codex +- +completed +1\.5 s +12\.3k +\$0\.50 +Fix it$/,
      ),
      expect.stringMatching(
        /^20261101-100000-00abcd +\d+[a-z] ago +claude +- +completed +1\.5 s +- +- +First of two lines$/,
      ),
      "",
    ]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  it("is filtered, and says when there is more", async () => {
    const { directory, sessions } = createHome();
    const ids = [1, 2, 3].map((number) =>
      writeRecording(directory, metaOf({ startedAt: day(number), agent: number === 2 ? "codex" : "claude" })),
    );
    const listed = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await sessions("list", "--json", ...args);
      return JSON.parse(stdout.toString()).map(({ id }: { id: string }) => id);
    };
    expect(await listed("--agent", "Claude-Code")).toEqual([ids[2], ids[0]]);
    expect(await listed("--since", "2026-11-02T00:00Z")).toEqual([ids[2], ids[1]]);
    expect(await listed("--outcome", "failed")).toEqual([]);
    expect(await listed("--cwd", "/repo", "--limit", "1")).toEqual([ids[2]]);
    const { stderr } = await sessions("list", "--limit", "1");
    expect(stderr).toBe("harness: there are more: --limit 5, or --all\n");
    expect((await sessions("list", "--limit", "1", "--all")).stderr).toBe("");
  });

  it("says so when there is nothing", async () => {
    const { stdout, stderr, exitCode } = await createHome().sessions("list");
    expect({ stdout: stdout.toString(), stderr, exitCode }).toEqual({
      stdout: "",
      stderr: "harness: no recorded run matches\n",
      exitCode: 0,
    });
  });

  it.each([
    [["--since", "soon"], "it must be an age such as 2h, 3d or 1w, or a date such as 2026-11-15."],
    [["--outcome", "good"], "it must be one of completed, failed"],
    [["--limit", "0"], "it must be a whole number above 0."],
  ])("refuses %j", async (args, reason) => {
    const { stderr, exitCode } = await createHome().sessions("list", ...args);
    expect(stderr).toContain(reason);
    expect(exitCode).toBe(2);
  });
});

describe("sessions show", () => {
  it("shows what a run did, how long it took, and where it is", async () => {
    const { directory, sessions } = createHome();
    const id = recordCapture(directory, "codex", "patch");
    const { stdout } = await sessions("show", id.slice(0, 8));
    const text = stdout.toString();
    expect(text).toMatch(/^Fix it\n✓ Completed\n/);
    expect(text).toContain("Files changed: 5\n  M README.md\n  D notes/todo.txt\n  A src/added.ts\n");
    expect(text).toContain("Commands: 1\n  ✓ git status --short  exit 0\n");
    expect(text).toMatch(
      /tokens +4,548: input 2,922, cache read 1,200, cache write 52, output 374, of it reasoning 80/,
    );
    expect(text).toContain(recordingPaths(directory, id).raw);
  });

  it("prints the same as JSON", async () => {
    const { directory, sessions } = createHome();
    const id = recordCapture(directory, "codex", "patch");
    const { stdout } = await sessions("show", "last", "--json");
    expect(JSON.parse(stdout.toString())).toMatchObject({
      id,
      outcome: "completed",
      agent: "codex",
      durationMs: 1500,
      text: "All done ✅.",
      filesWritten: [{ path: "/workspace/codex-patch/notes/todo.txt", count: 1 }, {}, {}, {}, {}],
      commands: [{ command: "git status --short", exitCode: 0, isSuccess: true }],
      usage: { totalTokens: 4548, scope: "run" },
      files: { raw: recordingPaths(directory, id).raw },
    });
  });

  it("says why it failed, or that it was interrupted", async () => {
    const { directory, sessions } = createHome();
    const failure = { kind: "auth" as const, message: "Invalid API key" };
    writeRecording(
      directory,
      metaOf({ runId: "failed", outcome: { isSuccess: false, reason: "failed", failure } }),
    );
    writeRecording(directory, unendedMeta({ runId: "interrupted" }));
    expect((await sessions("show", "failed")).stdout.toString()).toContain(
      "\n✗ Failed: auth: Invalid API key\n",
    );
    expect((await sessions("show", "interrupted")).stdout.toString()).toContain(
      "\n✗ Interrupted: the run was interrupted",
    );
  });

  it("shows what its sidecar knows when the rest is gone", async () => {
    const { directory, sessions } = createHome();
    const id = writeRecording(directory, metaOf({ costUsd: 2 }));
    rmSync(join(directory, id), { recursive: true });
    const { stdout, stderr, exitCode } = await sessions("show", id);
    expect(stdout.toString()).toContain("$2.00 (reported by the agent)");
    expect(stderr).toContain("only its sidecar is left");
    expect(exitCode).toBe(0);
  });

  it("needs no agent to say what was done", async () => {
    const { directory, sessions } = createHome();
    const id = recordCapture(directory, "codex", "patch");
    writeRecordedAgent(directory, id, "an-agent-of-mine");
    const { stdout, exitCode } = await sessions("show", id);
    expect(stdout.toString()).toContain("Files changed: 5\n");
    expect(exitCode).toBe(0);
    const replayed = await sessions("replay", id, "-f", "full", "--speed", "max");
    expect(replayed.stderr).toContain(
      'a run of the agent "an-agent-of-mine", whose definition is not loaded',
    );
    expect(replayed.exitCode).toBe(0);
    const events = jsonLines(replayed.stdout);
    expect(events.map(({ seq }) => seq)).toEqual([...events.keys()]);
    expect(events.filter(({ type }) => type === "write").length).toBeGreaterThan(4);
    expect(events.slice(-2)).toMatchObject([
      { type: "result", isSuccess: true },
      { type: "exited", reason: "completed" },
    ]);
    const raw = await sessions("replay", id, "-f", "raw", "--speed", "max");
    expect(jsonLines(raw.stdout)[0]).toMatchObject({ type: "thread.started" });
  });
});

describe("sessions replay", () => {
  it("prints the run again in any format", async () => {
    const { directory, sessions } = createHome();
    const id = recordCapture(directory, "claude", "subagent");
    const written = readFileSync(recordingPaths(directory, id).events, "utf8");
    expect((await sessions("replay", id, "-f", "events", "--speed", "max")).stdout.toString()).toBe(written);
    const unified = jsonLines((await sessions("replay", "last", "--speed", "1000")).stdout);
    expect(unified.at(0)).toMatchObject({ type: "SessionStart" });
    expect(unified.at(-1)).toMatchObject({ type: "Result", success: true });
    const text = (await sessions("replay", id, "-f", "text", "--speed", "max")).stdout.toString();
    expect(text).toContain("✓ Completed");
  });

  it("stops when its reader goes away, or when it is interrupted", async () => {
    const { directory, env } = createHome();
    const id = recordCapture(directory, "claude", "text");
    const paths = recordingPaths(directory, id);
    const last = readFileSync(paths.raw, "utf8").trim().split("\n").at(-1) ?? "";
    expect(last).toContain('"exit"');
    const slow = spawn(
      process.execPath,
      [commandPath, "sessions", "replay", id, "-f", "full", "--speed", "0.001"],
      {
        env: { ...process.env, ...env },
      },
    );
    await once(slow.stdout, "data");
    slow.kill("SIGINT");
    expect(await once(slow, "close")).toEqual([130, null]);
    const piped = spawn(
      process.execPath,
      [commandPath, "sessions", "replay", id, "-f", "full", "--speed", "1"],
      {
        env: { ...process.env, ...env },
      },
    );
    await once(piped.stdout, "data");
    piped.stdout.destroy();
    expect(await once(piped, "close")).toEqual([0, null]);
  });

  it.each(["0", "-1", "fast", ""])("refuses the speed %j", async (speed) => {
    const { stderr, exitCode } = await createHome().sessions("replay", "last", "--speed", speed);
    expect(stderr).toContain("--speed");
    expect(exitCode).toBe(2);
  });
});

describe("sessions export", () => {
  it("writes what the name of the file says", async () => {
    const { directory, sessions, env } = createHome();
    recordCapture(directory, "claude", "subagent");
    const begin = async (name: string): Promise<string> => {
      const file = join(env.XDG_DATA_HOME, name);
      const { stderr } = await sessions("export", "last", "-o", file);
      expect(stderr).toMatch(/^harness: wrote .* \(.*B\)\n$/);
      return readFileSync(file, "utf8").slice(0, 40);
    };
    expect(await begin("run.html")).toMatch(/^<!doctype html>/);
    expect(await begin("run.md")).toMatch(/^# Fix it\n/);
    expect(await begin("run.ndjson")).toMatch(/^{"type":"SessionStart"/);
    expect(await begin("run")).toMatch(/^# Fix it\n/);
  });

  it("writes to standard output what is asked for", async () => {
    const { directory, sessions } = createHome();
    const id = recordCapture(directory, "claude", "subagent");
    expect((await sessions("export", id)).stdout.toString()).toMatch(/^# Fix it\n/);
    expect((await sessions("export", id, "-f", "html")).stdout.toString()).toMatch(/<\/html>\n$/);
    const written = readFileSync(recordingPaths(directory, id).events, "utf8");
    expect((await sessions("export", id, "-f", "events")).stdout.toString()).toBe(written);
  });

  it("touches no file when there is nothing to write, and says when one cannot be written", async () => {
    const { directory, sessions, env } = createHome();
    const file = join(env.XDG_DATA_HOME, "run.html");
    const missing = await sessions("export", "nothing", "-o", file);
    expect(missing.exitCode).toBe(2);
    expect(existsSync(file)).toBe(false);
    recordCapture(directory, "claude", "text");
    const refused = await sessions("export", "last", "-o", join(env.XDG_DATA_HOME, "nowhere", "run.html"));
    expect(refused.stderr).toContain("cannot write");
    expect(refused.exitCode).toBe(2);
  });
});

describe("sessions rm and prune", () => {
  it("remove, and say what", async () => {
    const { directory, sessions } = createHome();
    const old = recordCapture(directory, "claude", "text", { startedAt: day(1) });
    const other = recordCapture(directory, "claude", "text", { startedAt: day(2) });
    const preview = await sessions("prune", "--older-than", "2026-11-02T00:00Z", "--dry-run");
    expect(preview.stdout.toString()).toMatch(new RegExp(`${old}.*\nwould remove 1 recording \\(.*B\\)\n$`));
    expect(existsSync(join(directory, old))).toBe(true);
    const pruned = await sessions("prune", "--older-than", "2026-11-02T00:00Z");
    expect(pruned.stdout.toString()).toMatch(/^removed 1 recording \(.*B\)\n$/);
    expect(existsSync(join(directory, old))).toBe(false);
    expect((await sessions("rm", other)).stdout.toString()).toBe(`removed ${other}\n`);
    expect(existsSync(join(directory, other))).toBe(false);
  });

  it("refuse what is missing, ambiguous or running, and remove nothing", async () => {
    const { directory, sessions } = createHome();
    for (const runId of ["run-1", "run-2"]) writeRecording(directory, metaOf({ runId }));
    writeRecording(directory, unendedMeta({ runId: "live", harness: { pid: process.pid } }));
    expect((await sessions("rm", "run-1", "gone")).stderr).toContain('no recording has the id "gone"');
    const ambiguous = await sessions("rm", "run");
    expect(ambiguous.stderr).toContain('2 ids begin with "run"; give more of the id:\n  run-2');
    expect(ambiguous.exitCode).toBe(2);
    expect((await sessions("rm", "live")).stderr).toContain("live is still running");
    expect((await sessions("rm")).exitCode).toBe(2);
    expect((await sessions("prune")).stderr).toContain("--older-than");
    expect(JSON.parse((await sessions("list", "--json")).stdout.toString())).toHaveLength(3);
  });
});

function writeRecordedAgent(directory: string, id: string, agent: string): void {
  const { meta } = recordingPaths(directory, id);
  writeFileSync(meta, JSON.stringify({ ...JSON.parse(readFileSync(meta, "utf8")), agent }));
}
