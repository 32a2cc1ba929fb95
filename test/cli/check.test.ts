import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fakeProject } from "./fake-agent.js";
import { harness, jsonLines, startHarness } from "./harness.js";

let project = "";
beforeAll(async () => {
  project = await fakeProject();
});

/** Runs the fake agent, which does what the prompt says. */
function run(prompt: string, ...options: string[]) {
  return harness(["run", prompt, "--agent", "fake", ...options], { cwd: project });
}

describe("--check", () => {
  it("runs in the run's directory after a success, and its exit code decides", async () => {
    const command = 'echo out; echo err >&2; cat made.txt; test -n "$HARNESS_RUN_ID"';
    const passed = await run("write made.txt work; say done", "-f", "json", "--check", command);
    expect(passed.exitCode).toBe(0);
    const tail = expect.stringMatching(/^(?=.*\bout\b)(?=.*\berr\b)(?=.*\bwork\b)/s);
    expect(jsonLines(passed.stdout)[0]?.["check"]).toMatchObject({
      command,
      isSuccess: true,
      exitCode: 0,
      tail,
    });
    expect(passed.stderr).toContain(`Check: ${command}\n`);
    expect(passed.stderr.split("\n")).toEqual(expect.arrayContaining(["out", "err", "work"]));

    const failed = await run("say done", "-f", "text", "--check", "echo broken; exit 7");
    expect(failed.exitCode).toBe(3);
    expect(failed.stdout.toString()).toMatch(
      /✓ Completed.*✗ Check failed with exit code 7 after [^\n]+\n {2}Command {4}echo broken; exit 7\n$/s,
    );
  });

  it("is in the recording, and in everything that is made of it", async () => {
    await run("say done", "-f", "text", "--check", "echo broken; exit 7");
    const shown = await harness(["sessions", "show", "last"], { cwd: project });
    expect(shown.stdout.toString()).toMatch(
      /check +Check failed with exit code 7 after .*: echo broken; exit 7/,
    );
    const [meta] = jsonLines(
      (await harness(["sessions", "show", "last", "--json"])).stdout.toString().replaceAll("\n", ""),
    );
    expect(meta?.["check"]).toMatchObject({ isSuccess: false, exitCode: 7, tail: "broken" });
    for (const format of ["json", "markdown", "html", "github"]) {
      const { stdout } = await harness(["sessions", "export", "last", "-f", format], { cwd: project });
      expect(stdout.toString()).toContain(
        format === "json" ? '"exitCode":7' : "Check failed with exit code 7",
      );
    }
  });

  it("is skipped if the run failed", async () => {
    const { exitCode, stderr, stdout } = await run("fail", "-f", "json", "--check", "touch checked");
    expect(exitCode).toBe(1);
    expect(jsonLines(stdout)).toHaveLength(1);
    expect(jsonLines(stdout)[0]).not.toHaveProperty("check");
    expect(stderr).not.toContain("Check");
    expect(existsSync(join(project, "checked"))).toBe(false);
  });

  it("ends after its time limit, with everything that it has started", async () => {
    const check = "sleep 600 & echo $! > child; sleep 600";
    const { exitCode, stdout } = await run("say x", "-f", "json", "--check", check, "--check-timeout", "1s");
    expect(exitCode).toBe(3);
    expect(jsonLines(stdout)[0]?.["check"]).toMatchObject({ isSuccess: false, isTimedOut: true });
    expect(isAlive(Number(readFileSync(join(project, "child"), "utf8")))).toBe(false);
  });

  it("ends when the user interrupts it", async () => {
    const check = "sleep 600 & echo $! > waiting; echo ready; wait";
    const args = ["run", "say x", "--agent", "fake", "-f", "github", "--check", check];
    const { child, ended, says } = startHarness(args, { cwd: project });
    await says("\nready\n");
    child.kill("SIGINT");
    const { exitCode, stdout } = await ended;
    expect(exitCode).toBe(130);
    expect(stdout.toString()).toContain("✗ Check cancelled after");
    expect(isAlive(Number(readFileSync(join(project, "waiting"), "utf8")))).toBe(false);
  });

  it("prints clean text, and no secrets with --redact", async () => {
    const value = "correct-horse-7-battery";
    writeFileSync(join(project, "noise"), `\u001b[2J\u001b]0;x\u0007${value}\n`);
    const args = ["run", "say x", "--agent", "fake", "-f", "json", "--redact", "--check", "cat noise"];
    const { stderr, stdout } = await harness(args, { cwd: project, env: { DEPLOY_TOKEN: value } });
    expect(stderr).not.toContain("\u001b");
    expect(`${stderr}${stdout}`).not.toContain(value);
    expect(stderr).toContain("[redacted");
  });

  it("is shown by a dry run, and refused where it cannot be meant", async () => {
    const dry = await run("say x", "--check", "touch dry", "--dry-run");
    expect(dry.stdout.toString()).toMatch(/^check +touch dry$/m);
    expect(existsSync(join(project, "dry"))).toBe(false);
    const idle = await run("say x", "--check-timeout", "3s");
    expect(idle).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('add --check "npm test"') });
    expect((await run("say x", "--check", "")).exitCode).toBe(2);
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
