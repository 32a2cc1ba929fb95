import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ShellResult } from "../../../src/batch/model/cell.js";
import { logHalfBytes } from "../../../src/batch/workspace/bounded-log.js";
import { runShellStep, type ShellStep } from "../../../src/batch/workspace/shell-step.js";

let steps = 0;

/** Runs a command in a new directory. */
async function runStep(
  command: string,
  more: Partial<ShellStep> = {},
): Promise<ShellResult & { directory: string; log: string; logPath: string }> {
  steps++;
  const directory = more.cwd ?? mkdtempSync(join(tmpdir(), "s-"));
  const logPath = join(mkdtempSync(join(tmpdir(), "l-")), "cells", "check.log");
  const runId = `c0123456789abcde-shell${steps}`;
  const result = await runShellStep({ command, cwd: directory, runId, timeoutMs: 30_000, logPath, ...more });
  return { ...result, directory, logPath, log: existsSync(logPath) ? readFileSync(logPath, "utf8") : "" };
}

describe("a shell command of a task", () => {
  it("runs in its directory, and its exit code decides", async () => {
    const passed = await runStep("pwd; echo out; echo err >&2; exit 0");
    expect(passed).toMatchObject({ isSuccess: true, exitCode: 0 });
    expect(passed.log.split("\n").sort()).toEqual(["", "err", "out", passed.directory].sort());
    expect(passed.tail.split("\n")).toHaveLength(3);
    expect(statSync(passed.logPath).mode & 0o777).toBe(0o600);
    expect(passed.signal).toBeUndefined();
    expect(passed.isTimedOut).toBeUndefined();
    expect(await runStep("exit 7")).toMatchObject({ isSuccess: false, exitCode: 7, tail: "" });
    expect(await runStep("no-such-command-here")).toMatchObject({ isSuccess: false, exitCode: 127 });
    expect((await runStep("no-such-command-here")).tail).toContain("not found");
    expect(await runStep("if then")).toMatchObject({ isSuccess: false, exitCode: 2 });
  });

  it("has its variables, the marks of a run, no input, and nothing of another repository", async () => {
    process.env["GIT_DIR"] = "/elsewhere/.git";
    try {
      const { tail } = await runStep(
        'cat; echo "$COLOR $HARNESS_RUN_ID git:$GIT_DIR ceiling:$GIT_CEILING_DIRECTORIES"',
        {
          runId: "c0123456789abcde-env",
          env: { COLOR: "blue", GIT_CEILING_DIRECTORIES: "/work" },
        },
      );
      expect(tail).toBe("blue c0123456789abcde-env git: ceiling:/work");
    } finally {
      delete process.env["GIT_DIR"];
    }
  });

  it("is stopped when its time is up, with everything that it has started", async () => {
    const result = await runStep(
      "echo begun; (trap '' TERM; sleep 600) & echo $! > child; trap '' TERM; sleep 600; sleep 600",
      {
        timeoutMs: 500,
      },
    );
    expect(result).toMatchObject({ isSuccess: false, isTimedOut: true, tail: "begun" });
    expect(isAlive(Number(readFileSync(join(result.directory, "child"), "utf8")))).toBe(false);
  });

  it("does not wait for a process in the background that holds its output, and ends it", async () => {
    const result = await runStep(
      "sleep 600 & echo $! > child; setsid sleep 600 & echo $! >> child; echo done",
    );
    expect(result).toMatchObject({ isSuccess: true, exitCode: 0, tail: "done" });
    for (const pid of readFileSync(join(result.directory, "child"), "utf8").trim().split("\n"))
      expect(isAlive(Number(pid))).toBe(false);
  });

  it("ends daemons that have left its session and its output", async () => {
    const result = await runStep(
      "setsid sh -c 'echo $$ > daemon; exec sleep 600' >/dev/null 2>&1 & while [ ! -s daemon ]; do sleep 0.01; done; exit 0",
    );
    expect(result.isSuccess).toBe(true);
    expect(isAlive(Number(readFileSync(join(result.directory, "daemon"), "utf8")))).toBe(false);
  });

  it("says which signal has ended it", async () => {
    expect(await runStep("echo last words; kill -9 $$")).toMatchObject({
      isSuccess: false,
      exitCode: null,
      signal: "SIGKILL",
      tail: "last words",
    });
  });

  it("may print far more than fits: the beginning and the end are kept", async () => {
    const { isSuccess, logPath, tail } = await runStep(
      "echo the beginning; head -c 300000000 /dev/zero | tr '\\0' 'x'; echo; echo the end",
    );
    expect(isSuccess).toBe(true);
    const log = readFileSync(logPath, "latin1");
    expect(log.length).toBeGreaterThan(2 * logHalfBytes);
    expect(log.length).toBeLessThan(2 * logHalfBytes + 100);
    expect(log.startsWith("the beginning\nxxx")).toBe(true);
    expect(log.endsWith("xxx\nthe end\n")).toBe(true);
    expect(log).toMatch(/\n\[\d+ bytes are left out here\]\n/);
    expect(tail).toBe("the end");
  });

  it("keeps everything of an output that just fits", async () => {
    const lines = "0123456789abcde\n".repeat((2 * logHalfBytes) / 16);
    const directory = mkdtempSync(join(tmpdir(), "s-"));
    writeFileSync(join(directory, "lines"), lines);
    const { log } = await runStep("cat lines", { cwd: directory });
    expect(log === lines).toBe(true);
    writeFileSync(join(directory, "lines"), `${lines}more\n`);
    expect((await runStep("cat lines", { cwd: directory })).log).toContain("[5 bytes are left out here]");
  });

  it("may print what is no text: the log has the bytes, the tail is clean", async () => {
    const { logPath, tail } = await runStep(
      "printf '\\377\\376 \\033[31mred\\033[0m \\033]0;title\\007 \\342\\200\\256 end\\000'",
    );
    expect(readFileSync(logPath)[0]).toBe(0xff);
    expect(tail).toBe("\ufffd\ufffd red  [U+202E] end");
  });

  it("has a tail of whole lines", async () => {
    const { tail } = await runStep("i=0; while [ $i -lt 2000 ]; do echo line-$i-ü; i=$((i+1)); done");
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(4096);
    expect(tail).toMatch(/^line-\d+-ü\n/);
    expect(tail.endsWith("line-1999-ü")).toBe(true);
    // One line that is longer than the tail is cut.
    expect((await runStep("head -c 9000 /dev/zero | tr '\\0' 'y'")).tail).toMatch(/^y+$/);
  });

  it("is cancelled by a signal, and is not started after one", async () => {
    const controller = new AbortController();
    const directory = mkdtempSync(join(tmpdir(), "s-"));
    const running = runStep("echo $$ > pid; exec sleep 600", { cwd: directory, signal: controller.signal });
    while (!existsSync(join(directory, "pid"))) await sleep(5);
    controller.abort();
    expect(await running).toMatchObject({ isSuccess: false, signal: "SIGTERM" });
    const { isSuccess, exitCode, tail } = await runStep("echo started", { signal: controller.signal });
    expect({ isSuccess, exitCode }).toEqual({ isSuccess: false, exitCode: null });
    expect(tail).toBe("not started: it was cancelled");
  });

  it("fails with a sentence if the agent has removed the directory", async () => {
    const directory = mkdtempSync(join(tmpdir(), "s-"));
    rmSync(directory, { recursive: true });
    const { isSuccess, tail } = await runStep("true", { cwd: directory });
    expect({ isSuccess, tail }).toEqual({
      isSuccess: false,
      tail: `not started: the directory ${directory} is gone`,
    });
  });

  it("does not fail because its log cannot be written", async () => {
    const directory = mkdtempSync(join(tmpdir(), "s-"));
    mkdirSync(join(directory, "check.log"));
    writeFileSync(join(directory, "check.log", "file"), "");
    const { isSuccess, tail } = await runStep("echo fine", { logPath: join(directory, "check.log") });
    expect(isSuccess).toBe(true);
    expect(tail).toMatch(/^fine\n\[the log could not be written: /);
  });

  it("writes its log through no link", async () => {
    const directory = mkdtempSync(join(tmpdir(), "s-"));
    writeFileSync(join(directory, "precious"), "precious");
    symlinkSync("precious", join(directory, "check.log"));
    await runStep("echo x", { logPath: join(directory, "check.log") });
    expect(readFileSync(join(directory, "precious"), "utf8")).toBe("precious");
    expect(readdirSync(directory).sort()).toEqual(["check.log", "precious"]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
