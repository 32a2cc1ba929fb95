import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

const base = ["--print", "--output-format", "stream-json", "--verbose", "--include-partial-messages"];

describe("launching Claude Code", () => {
  it("streams JSON without asking, with the prompt behind everything else", () => {
    expect(claude.launch(launchTask())).toEqual({
      args: [...base, "--dangerously-skip-permissions", "--", "Fix the failing test"],
    });
  });

  it("passes every option on", () => {
    const { args } = claude.launch(
      launchTask({
        model: "claude-sonnet-4-5",
        permissions: "read-only",
        maxTurns: 3,
        maxBudgetUsd: 0.5,
        systemPrompt: "Be brief",
        appendSystemPrompt: "- and kind",
        resume: "dbc1edde-4d31-4b00-b6a8-f616ac4ad75b",
        extraArgs: ["--allowedTools", "Read", "Bash(ls:*)"],
      }),
    );
    expect(args).toEqual([
      ...base,
      ...["--model", "claude-sonnet-4-5"],
      ...["--permission-mode", "plan"],
      ...["--max-turns", "3"],
      ...["--max-budget-usd", "0.5"],
      ...["--system-prompt", "Be brief"],
      ...["--append-system-prompt", "- and kind"],
      ...["--resume", "dbc1edde-4d31-4b00-b6a8-f616ac4ad75b"],
      ...["--allowedTools", "Read", "Bash(ls:*)"],
      ...["--", "Fix the failing test"],
    ]);
  });

  it.each(["doctor", "mcp", "setup-token", "-", "--", "-p", "--help", "x"])(
    "sends the word %s through standard input, where it is not a subcommand",
    (prompt) => {
      const { args, stdin } = claude.launch(launchTask({ prompt }));
      expect(stdin).toBe(prompt);
      expect(args).not.toContain(prompt === "--" ? "" : prompt);
      expect(args.at(-1)).toBe("--dangerously-skip-permissions");
    },
  );

  it.each(["-h hello", "--resume x", "mcp list", "/cost", "line one\nline two", "你好 🙂", '"quoted"'])(
    "leaves %j as it is",
    (prompt) => {
      const { args, stdin } = claude.launch(launchTask({ prompt }));
      expect(args.slice(-2)).toEqual(["--", prompt]);
      expect(stdin).toBeUndefined();
    },
  );

  it("reads a long prompt from standard input", () => {
    const { args, stdin } = claude.launch(launchTask({ prompt: longPrompt }));
    expect(stdin).toBe(longPrompt);
    expect(args).not.toContain("--");
  });
});
