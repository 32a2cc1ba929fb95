import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { recordCapture } from "../runs/archive/recordings.js";
import { capturesDirectory } from "../support/captures.js";
import { type CommandResult, harness, jsonLines, temporaryDirectory } from "./harness.js";

const captureOf = (name: string): string => `${capturesDirectory}${name}/stdout.jsonl`;

function createHome(): {
  directory: string;
  run(args: readonly string[], stdin?: string | Buffer): Promise<CommandResult>;
} {
  const env = { XDG_DATA_HOME: temporaryDirectory() };
  return {
    directory: join(env.XDG_DATA_HOME, "harness", "sessions"),
    run: (args, stdin = "") => harness(args, { env, stdin }),
  };
}

describe("sessions import", () => {
  it("makes a recording out of what an agent printed, without a duration", async () => {
    const { run } = createHome();
    const { stdout, stderr, exitCode } = await run(["sessions", "import", captureOf("codex/patch")]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    const [id = ""] = stdout.toString().split(" ");
    const [listed] = JSON.parse((await run(["sessions", "list", "--json"])).stdout.toString());
    expect(listed).toMatchObject({
      id,
      agent: "codex",
      outcome: "completed",
      prompt: "stdout.jsonl",
      imported: { file: "stdout.jsonl", isUntimed: true },
      usage: { totalTokens: 4548 },
    });
    expect(listed).not.toHaveProperty("durationMs");
    expect((await run(["sessions", "list"])).stdout.toString()).toMatch(
      / completed +- +4\.5k +- +\(imported\) stdout\.jsonl\n/,
    );
    const shown = (await run(["sessions", "show", id])).stdout.toString();
    expect(shown).toContain("imported from stdout.jsonl, a log without times");
    expect(shown).not.toMatch(/\btook\b|\b0 ms\b/);
    for (const format of ["markdown", "json", "text"]) {
      const replayed = await run(["sessions", "replay", id, "-f", format, "--speed", "max"]);
      expect(replayed.stdout.toString()).not.toMatch(/\b0 m?s\b|durationMs/);
    }
    expect((await run(["sessions", "export", id, "-f", "html"])).stdout.toString()).not.toMatch(
      />\s*\d+ ms\s*</,
    );
  });

  it("takes a recording of another machine with its sidecar, once", async () => {
    const other = createHome();
    const id = recordCapture(other.directory, "claude", "2.1.325-files", {
      prompt: "Read it",
      costUsd: 0.25,
    });
    const { run, directory } = createHome();
    const { raw, patch } = recordingPaths(other.directory, id);
    writeFileSync(patch, "diff --git a/x b/x\n");
    expect((await run(["sessions", "import", raw])).stdout.toString()).toMatch(`${id}  claude  Completed`);
    const [listed] = JSON.parse((await run(["sessions", "list", "--json"])).stdout.toString());
    expect(listed).toMatchObject({
      id,
      prompt: "Read it",
      durationMs: 1500,
      costUsd: 0.25,
      imported: { file: "raw.jsonl" },
    });
    expect(readFileSync(recordingPaths(directory, id).raw, "utf8")).toBe(readFileSync(raw, "utf8"));
    expect(readFileSync(recordingPaths(directory, id).patch, "utf8")).toBe("diff --git a/x b/x\n");
    const again = await run(["sessions", "import", raw]);
    expect(again.stderr).toContain(`there is a recording of a run ${id} already`);
    const own = await run(["sessions", "import", recordingPaths(directory, id).raw]);
    expect(own.stderr).toContain("which is listed already");
  });

  it.each(["a link to a file of the user", "a pipe"])("takes no patch that is %s", async (kind) => {
    const other = createHome();
    const id = recordCapture(other.directory, "claude", "2.1.325-files", { prompt: "Read it" });
    const { raw, patch } = recordingPaths(other.directory, id);
    if (kind === "a pipe") execFileSync("mkfifo", [patch]);
    else {
      writeFileSync(join(other.directory, "secret"), "a key");
      symlinkSync(join(other.directory, "secret"), patch);
    }
    const { run, directory } = createHome();
    expect((await run(["sessions", "import", raw])).exitCode).toBe(0);
    expect(existsSync(recordingPaths(directory, id).patch)).toBe(false);
  });

  it("takes a raw.jsonl without its sidecar, with the times of its records", async () => {
    const other = createHome();
    const { raw } = recordingPaths(other.directory, recordCapture(other.directory, "codex", "patch"));
    const file = join(temporaryDirectory(), "log.jsonl");
    copyFileSync(raw, file);
    const { run } = createHome();
    expect((await run(["sessions", "import", "-p", "Patch it", file])).exitCode).toBe(0);
    const [listed] = JSON.parse((await run(["sessions", "list", "--json"])).stdout.toString());
    expect(listed).toMatchObject({
      agent: "codex",
      prompt: "Patch it",
      startedAt: "2026-11-15T10:00:00.100Z",
    });
    expect(listed.durationMs).toBeGreaterThan(0);
  });

  it.each([
    [
      "a log of two possible agents",
      captureOf("kilo/7.7.9-files"),
      "it could be OpenCode (--agent opencode) or Kilo Code (--agent kilo)",
    ],
    ["what is not a log", "README.md", "does not look like the log of an agent"],
    ["an empty file", "/dev/null", "/dev/null is empty; there is nothing to import"],
    ["a directory", "/", "cannot read /: it is a directory, not a file"],
    ["a file that is not there", "/nowhere.jsonl", "cannot read /nowhere.jsonl"],
  ])("refuses %s, and leaves nothing behind", async (_what, file, reason) => {
    const { run } = createHome();
    const directory = temporaryDirectory();
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "README.md"), "# Hello\n\nThis is text.\n");
    const path = file === "README.md" ? join(directory, file) : file;
    const { stderr, exitCode } = await run(["sessions", "import", path]);
    expect(stderr).toContain(reason);
    expect(exitCode).toBe(2);
    expect((await run(["sessions", "list"])).stderr).toBe("harness: no recorded run matches\n");
  });
});

describe("translate", () => {
  it("recognises the agent, whether it reads a file or standard input, and loses no byte", async () => {
    const { run } = createHome();
    const file = captureOf("claude/2.1.325-files");
    const named = await run(["translate", "-a", "claude", "-f", "raw", file]);
    expect(named.stdout.equals(readFileSync(file))).toBe(true);
    expect((await run(["translate", "-f", "raw"], readFileSync(file))).stdout.equals(named.stdout)).toBe(
      true,
    );
    const started = jsonLines((await run(["translate", "-f", "full", file])).stdout)[0];
    expect(started).toMatchObject({ type: "started", agent: "claude" });
  });

  it("says whose it could be, and what to do", async () => {
    const { run } = createHome();
    const { stdout, stderr, exitCode } = await run(["translate"], "hello\n");
    expect(stdout.toString()).toBe("");
    expect(stderr).toContain(
      "the input does not look like the log of an agent; if it is one, choose the agent with --agent",
    );
    expect(exitCode).toBe(2);
  });

  it.each(["markdown", "html", "text", "json"])(
    "shows no time that a log does not have in %s",
    async (format) => {
      const { run } = createHome();
      const { stdout } = await run(["translate", "-f", format, captureOf("codex/patch")]);
      expect(stdout.toString()).not.toMatch(/(?:>|· )\d+ ms|durationMs|Duration<\/dt>/);
    },
  );
});
