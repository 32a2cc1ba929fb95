import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  commandPath,
  harness,
  homeEnvironment,
  jsonLines,
  program,
  programThatReplays,
} from "../../cli/harness.js";
import { createScreen } from "./screen.js";

const run = (scenario: string, ...more: string[]) => [
  "run",
  "-a",
  "claude",
  "-p",
  "do it",
  "--binary",
  programThatReplays("claude", scenario),
  ...more,
];

const says = (text: string) =>
  program(
    `console.log(JSON.stringify({ type: "result", is_error: false, subtype: "success", result: ${JSON.stringify(text)} }));`,
  );

describe("harness run --format text, in a pipe", () => {
  it("prints rows without escapes, and where the recording is", async () => {
    const { stdout, exitCode } = await harness(run("subagent", "-f", "text"));
    const rows = stdout.toString().split("\n");
    expect(exitCode).toBe(0);
    expect(rows).toContain("▸ Subagent general-purpose: Look at util");
    expect(rows).toContain("│ ✓ Read src/util.ts");
    expect(rows.at(-2)).toMatch(/^ {2}Recording {2}.+\.ndjson$/);
    expect(
      existsSync(rows.at(-2)?.replace("  Recording  ", "").replace(/^~/, homeEnvironment().HOME) ?? ""),
    ).toBe(true);
    expect(stdout.toString()).not.toContain("\u001b");
  });

  it("has colours when they are forced", async () => {
    const { stdout } = await harness(run("subagent", "-f", "text", "--no-log"), {
      env: { FORCE_COLOR: "1" },
    });
    expect(stdout.toString()).toContain("\u001b[32m✓\u001b[0m");
  });

  it("shows what the model thinks when asked to", async () => {
    const quietly = await harness(run("thinking", "-f", "text", "--no-log"));
    const loudly = await harness(run("thinking", "-f", "text", "--no-log", "--thinking"));
    expect(quietly.stdout.toString()).not.toContain("First I think");
    expect(loudly.stdout.toString()).toContain("┊ First I think about the readme.");
  });

  it("is not the default, which is the unified stream", async () => {
    const { stdout } = await harness(run("text", "--no-log"));
    expect(jsonLines(stdout)[0]).toMatchObject({ type: "SessionStart" });
  });
});

describe("harness run --format json", () => {
  it("prints one line at the end, with where the recording is", async () => {
    const { stdout, exitCode } = await harness(run("shell", "-f", "json"));
    const [report, ...others] = jsonLines(stdout);
    expect(exitCode).toBe(0);
    expect(others).toEqual([]);
    expect(report).toMatchObject({ outcome: { isSuccess: true }, text: "All done ✅.", agent: "claude" });
    expect(existsSync(String(report?.["recording"]))).toBe(true);
  });

  it("tells a failure in the object and by the exit code", async () => {
    const { stdout, exitCode } = await harness(run("api401", "-f", "json", "--no-log"));
    const [report] = jsonLines(stdout);
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({
      outcome: { isSuccess: false, reason: "failed" },
      failure: { kind: "auth" },
    });
    expect(report).not.toHaveProperty("recording");
  });
});

describe("harness run --quiet", () => {
  it("prints the answer exactly, and nothing else", async () => {
    const answer = 'a\tb \u001b[31m {"x": 1}';
    const { stdout, stderr, exitCode } = await harness([
      "run",
      "-a",
      "claude",
      "-p",
      "x",
      "--binary",
      says(answer),
      "-q",
      "--no-log",
    ]);
    expect({ stdout: stdout.toString(), stderr, exitCode }).toEqual({
      stdout: `${answer}\n`,
      stderr: "",
      exitCode: 0,
    });
  });

  it("says on standard error why there is no answer", async () => {
    const { stdout, stderr, exitCode } = await harness(run("api401", "--quiet", "--no-log"));
    expect(stdout.toString()).toBe("");
    expect(stderr).toBe(
      "harness: Claude Code failed (auth): Invalid API key · Fix external API key\n" +
        "  Set ANTHROPIC_API_KEY to a valid key, or run `claude` and use /login.\n",
    );
    expect(exitCode).toBe(1);
  });

  it("cannot be asked for together with a format", async () => {
    const { stderr, exitCode } = await harness(run("text", "-q", "-f", "json"));
    expect(stderr).toContain("cannot be used with");
    expect(exitCode).toBe(2);
  });
});

describe("harness run --format markdown", () => {
  it("prints a transcript at the end, with the prompt", async () => {
    const { stdout } = await harness(run("files", "-f", "markdown", "--no-log"));
    expect(stdout.toString()).toMatch(/^# .*do it/);
    expect(stdout.toString()).toContain("All done ✅.");
  });
});

/** `script` (util-linux) runs a command on a terminal of its own. */
const hasTerminals = process.platform === "linux" && existsSync("/usr/bin/script");

describe.runIf(hasTerminals)("harness run on a terminal", () => {
  async function onTerminal(
    columns: number,
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<string> {
    const words = [process.execPath, commandPath, ...args].map((word) => `'${word}'`).join(" ");
    const { stdout } = await promisify(execFile)(
      "script",
      ["-qec", `stty cols ${columns} rows 30; ${words}`, "/dev/null"],
      {
        env: {
          ...process.env,
          ...homeEnvironment(),
          TERM: "xterm",
          FORCE_COLOR: undefined,
          NO_COLOR: undefined,
          ...env,
        },
      },
    );
    return stdout;
  }

  it("says that it is stopping, and why", async () => {
    const deaf = program(`
      for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => undefined);
      setInterval(() => undefined, 1000);
    `);
    const args = ["run", "-a", "claude", "-p", "x", "--binary", deaf, "--timeout", "1", "--no-log"];
    const printed: string = await onTerminal(80, args).catch((error) => error.stdout);
    expect(printed).toContain("Stopping (time limit)… Ctrl-C again to kill");
    const screen = createScreen(80);
    screen.write(printed);
    expect(screen.rows.join("\n")).not.toContain("Stopping");
  });

  it("shows rows by default, and leaves nothing of the live ones behind", async () => {
    const screen = createScreen(50);
    const printed = await onTerminal(50, run("subagent", "--no-log"));
    screen.write(printed);
    expect(printed).toContain("\u001b[32m✓");
    expect(printed).toMatch(/0:00 .*Waiting for the model|0:00 .*Starting/);
    const rows = screen.rows;
    expect(rows.slice(0, 9)).toEqual([
      "Claude Code · claude-sonnet-4-5 · full access",
      "",
      "Delegating.",
      "",
      "▸ Subagent general-purpose: Look at util",
      "│ ✓ Read src/util.ts",
      "✓ Subagent general-purpose: Look at util",
      "",
      "All done ✅.",
    ]);
    expect(rows[10]).toMatch(/^✓ Completed in /);
    expect(rows.some((row) => /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(row))).toBe(false);
  });

  it("has no colours with NO_COLOR, and does not move the cursor of a dumb terminal", async () => {
    expect(await onTerminal(50, run("text", "--no-log"), { NO_COLOR: "1" })).not.toMatch(/\u001b\[[\d;]*m/);
    expect(await onTerminal(50, run("text", "--no-log"), { TERM: "dumb" })).not.toContain("\u001b");
  });

  it("prints a report with line breaks", async () => {
    expect(await onTerminal(50, run("text", "--no-log", "-f", "json"))).toContain('\n  "outcome": {');
  });

  it("lets no answer move the cursor, also when it is quiet", async () => {
    const args = ["run", "-a", "claude", "-p", "x", "--binary", says("a\u001b[2Jb\rc"), "--no-log"];
    expect(await onTerminal(50, [...args, "-q"])).toBe("ab\r\nc\r\n");
    expect((await onTerminal(50, args)).replaceAll("\u001b[J", "")).not.toContain("\u001b[2J");
  });
});
