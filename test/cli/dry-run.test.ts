import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quote } from "../../src/cli/quote.js";
import { outputNames } from "../../src/outputs/registry.js";
import { hostile } from "../outputs/text/hostile.js";
import { harness, program, temporaryDirectory } from "./harness.js";

describe("a word as a person would type it into a shell", () => {
  it.each([
    ["", "''"],
    ["hello", "hello"],
    ["--flag=a/b.c:d@e_1", "--flag=a/b.c:d@e_1"],
    ["hello world", "'hello world'"],
    ["it's", `'it'\\''s'`],
    ["foo;bar", "'foo;bar'"],
    ["a&b", "'a&b'"],
    ["$(rm -rf /)", "'$(rm -rf /)'"],
    ["line\nbreak", "$'line\\nbreak'"],
    ["it's \u001b[2J\u202e", "$'it\\'s \\x1b[2J\\xe2\\x80\\xae'"],
  ])("%j is written %s", (word, quoted) => {
    expect(quote(word)).toBe(quoted);
  });

  it("is understood by the shell as it was meant, whatever it is", () => {
    const word = fc
      .oneof(fc.string({ unit: "grapheme" }), hostile)
      .map((text) => Buffer.from(text).toString().replaceAll("\0", ""));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
        const script = `printf '%s\\0' ${words.map(quote).join(" ")}`;
        const heard = execFileSync("bash", ["-c", script], { encoding: "utf8" });
        expect(heard.split("\0").slice(0, -1)).toEqual(words);
      }),
      { numRuns: 30 },
    );
  });
});

/** A program that says what it was started with. */
function echo(): string {
  return program(`
    const input = require("node:fs").readFileSync(0, "utf8");
    console.log(JSON.stringify({ cwd: process.cwd(), input, variable: process.env.A, last: process.argv.at(-1) }));
  `);
}

describe("a dry run", () => {
  const dry = (...args: string[]) =>
    harness(["run", "-a", "claude", "-p", "hello there", "--binary", "/bin/sh", "--dry-run", ...args]);

  it("shows the program, its arguments, the directory, the model and the permissions", async () => {
    const { stdout, exitCode } = await dry("--model", "opus", "--cwd", "/");
    const text = stdout.toString();
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^agent +Claude Code \(claude\)\nprogram +\/bin\/sh\n/);
    expect(text).toMatch(/\n\ncd \/ && \/bin\/sh --print .* -- 'hello there' <\/dev\/null\n$/);
    expect(text).toMatch(/directory +\/\n/);
    expect(text).toMatch(/model +opus\n/);
    expect(text).toMatch(/permissions +full-access/);
  });

  it("is a command that a shell executes in the same way", async () => {
    const directory = join(temporaryDirectory(), "it's a place");
    mkdirSync(directory);
    const prompt = "it's\n$(date) `x`";
    const args = ["run", prompt, "-a", "codex", "--binary", echo(), "--cwd", directory, "--env", "A=b c"];
    const { stdout } = await harness([...args, "--dry-run"]);
    const command = stdout.toString().split("\n\n").at(-1) ?? "";
    const env = { ...process.env, A: "b c" };
    const heard = JSON.parse(execFileSync("bash", ["-c", command], { encoding: "utf8", env }));
    expect(heard).toEqual({ cwd: directory, input: prompt, variable: "b c", last: "-" });
    expect(() => execFileSync("bash", ["-c", command], { stdio: "pipe" })).toThrow(
      "A: its value is not shown",
    );
  });

  it("is an object with -f json", async () => {
    const { stdout } = await dry(
      "-f",
      "json",
      "--model",
      "opus",
      "--output",
      "run.html",
      "--env",
      "KEY=secret",
      "--timeout",
      "1m30s",
    );
    const plan = JSON.parse(stdout.toString());
    expect(plan).toMatchObject({
      agent: "claude",
      program: "/bin/sh",
      model: "opus",
      permissions: "full-access",
      env: ["KEY"],
      timeoutMs: 90_000,
    });
    expect(plan.args.slice(-2)).toEqual(["--", "hello there"]);
    expect(plan.writes).toContain("run.html");
    expect(stdout.toString()).not.toContain("secret");
  });

  it("hands an agent's own id over as it is", async () => {
    expect((await dry("--model", "claude-opus-4-6")).stdout.toString()).toMatch(/model +claude-opus-4-6\n/);
  });

  it("writes nothing, not even the files that are asked for", async () => {
    const directory = temporaryDirectory();
    const file = join(directory, "out.jsonl");
    const data = join(directory, "data");
    const { exitCode } = await harness(
      ["run", "-a", "claude", "-p", "x", "--binary", "/bin/sh", "--dry-run", "-o", file, "--record", data],
      { env: { XDG_DATA_HOME: data } },
    );
    expect(exitCode).toBe(0);
    expect([existsSync(file), existsSync(data)]).toEqual([false, false]);
  });

  it("takes every format and both permissions", async () => {
    const formats = await Promise.all(outputNames.map((format) => dry("--format", format)));
    expect(formats.map(({ exitCode }) => exitCode)).toEqual(outputNames.map(() => 0));
    const modes = await Promise.all(["full-access", "read-only"].map((mode) => dry("--permissions", mode)));
    expect(modes[0]?.stdout.toString()).toContain("--dangerously-skip-permissions");
    expect(modes[1]?.stdout.toString()).toContain("--permission-mode plan");
  });

  it("says what is missing when the agent is not installed, with exit code 127", async () => {
    const { stdout, exitCode } = await harness(["run", "-a", "claude", "-p", "x", "--dry-run"], {
      env: { PATH: "/nowhere" },
    });
    expect(stdout.toString()).toContain("Claude Code is not installed");
    expect(exitCode).toBe(127);
  });
});
