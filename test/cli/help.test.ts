import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { fitText } from "../../src/cli/help/fit-text.js";
import { topicTexts } from "../../src/cli/help/topic-texts.js";
import { createProgram } from "../../src/cli/program.js";
import { harness, temporaryDirectory } from "./harness.js";

/** Every command that does something, as it is typed. */
function leavesOf(command: Command): string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .flatMap((sub) =>
      sub.commands.length === 0 ? [sub.name()] : sub.commands.map((leaf) => `${sub.name()} ${leaf.name()}`),
    );
}

describe("harness help", () => {
  it("lists commands and topics", async () => {
    const { stdout, exitCode } = await harness(["help"]);
    expect(exitCode).toBe(0);
    for (const word of ["run", "translate", "sessions", "list", "check", "config", "events", "outcomes"])
      expect(stdout.toString()).toContain(word);
  });

  it.each(["events", "formats", "outcomes", "configuration", "agents"])("explains %s", async (topic) => {
    const { stdout, exitCode } = await harness(["help", topic]);
    expect(exitCode).toBe(0);
    expect(stdout.toString().split("\n").length).toBeGreaterThan(5);
  });

  it("fits topics into narrow terminals, without losing a word or breaking an example", () => {
    const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
    const problems = Object.entries(topicTexts).flatMap(([topic, text]) =>
      [60, 80, 100].flatMap((columns) => {
        const fitted = fitText(text, columns);
        const long = fitted
          .split("\n")
          .filter((line) => line.length > columns && !text.includes(`${line}\n`));
        return words(fitted).join(" ") === words(text).join(" ") && long.length === 0
          ? []
          : [[topic, columns, long]];
      }),
    );
    expect(problems).toEqual([]);
    expect(fitText(topicTexts.formats, 400)).toBe(topicTexts.formats);
    expect(fitText(topicTexts.formats, 80)).toContain(
      "  --format json         one JSON object at the end: outcome, answer, files,\n                        commands, tokens, cost\n",
    );
  });

  it("helps with a subcommand, and suggests what was meant", async () => {
    expect((await harness(["help", "config", "show"])).stdout.toString()).toContain(
      "where each value comes from",
    );
    const { stderr, exitCode } = await harness(["help", "outcome"]);
    expect(stderr).toContain('did you mean "outcomes"?');
    expect(exitCode).toBe(2);
  });

  it.each([["--help"], ["help"], ["sessions", "--help"], ["config", "--help"]])(
    "%s is success",
    async (...args) => {
      const { stdout, exitCode } = await harness(args);
      expect(stdout.toString()).toContain("Usage: harness");
      expect(exitCode).toBe(0);
    },
  );

  it.each(leavesOf(createProgram(() => undefined)))(
    "%s has examples, and `help` prints the same as --help",
    async (command) => {
      const words = command.split(" ");
      const [direct, help] = await Promise.all([harness([...words, "--help"]), harness(["help", ...words])]);
      expect(direct.stdout.toString()).toMatch(/\nExamples?:\n {2}\S/);
      expect(help.stdout.toString()).toBe(direct.stdout.toString());
      expect([direct.exitCode, help.exitCode]).toEqual([0, 0]);
    },
  );

  it("run lists every option that there is", async () => {
    const { stdout } = await harness(["run", "--help"]);
    for (const option of [
      "-a, --agent",
      "-p, --prompt",
      "--prompt-file",
      "-m, --model",
      "--permissions",
      "-f, --format",
      "-o, --output-file",
      "--cwd",
      "--timeout",
      "--idle-timeout",
      "--system-prompt",
      "--append-system-prompt",
      "--max-turns",
      "--max-budget-usd",
      "--resume",
      "--binary",
      "--extra-args",
      "--env",
      "--record",
      "--no-log",
      "--dry-run",
      "-q, --quiet",
    ])
      expect(stdout.toString()).toContain(`${option} `);
  });

  it("prints the help when no command is given", async () => {
    const { stdout, stderr, exitCode } = await harness([]);
    expect(stdout.toString() + stderr).toContain("Usage: harness");
    expect(exitCode).toBe(2);
  });

  it.each([
    [["run", "--promt", "x"], "did you mean --prompt?"],
    [["runn"], "did you mean run?"],
  ])("%j suggests what was meant", async (args, message) => {
    const { stderr, exitCode } = await harness(args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});

describe("harness completion bash", () => {
  const complete = (script: string, words: readonly string[]): string[] => {
    const line = `source ${script}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _harness; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["--norc", "-c", line], { encoding: "utf8" })
      .stdout.split("\n")
      .filter((word) => word !== "");
  };

  it("completes commands, subcommands, options and their values", async () => {
    const script = join(temporaryDirectory(), "harness.bash");
    writeFileSync(script, (await harness(["completion", "bash"])).stdout);
    expect(complete(script, ["harness", "tr"])).toEqual(["translate", "trust"]);
    expect(complete(script, ["harness", "config", "s"])).toEqual(["show"]);
    expect(complete(script, ["harness", "run", "--prompt-"])).toEqual(["--prompt-file"]);
    expect(complete(script, ["harness", "run", "--agent", "cl"])).toEqual(["claude", "cline"]);
    expect(complete(script, ["harness", "run", "--format", "run"])).toEqual(["run-events"]);
  });

  it.each(["zsh", "fish"])("prints a script for %s with every command", async (shell) => {
    const { stdout, exitCode } = await harness(["completion", shell]);
    expect(exitCode).toBe(0);
    for (const word of ["translate", "sessions", "prompt-file", "claude"])
      expect(stdout.toString()).toContain(word);
  });
});
