import { describe, expect, it } from "vitest";
import { claudeLive } from "../../../src/agents/claude/live/protocol.js";
import type { LiveTask } from "../../../src/agents/live-contract.js";

const task: LiveTask = { cwd: "/repo", permissions: "ask", extraArgs: [], password: "p", directory: "/d" };
const argsOf = (more: Partial<LiveTask>): string[] => claudeLive.launch({ ...task, ...more }).args;

const always = [
  "--print",
  "--input-format",
  "stream-json",
  "--output-format",
  "stream-json",
  "--verbose",
  "--include-partial-messages",
  "--permission-prompt-tool",
  "stdio",
];

describe("launching Claude Code for a live session", () => {
  it.each([
    ["ask", ["--permission-mode", "default"]],
    ["full-access", ["--dangerously-skip-permissions"]],
    ["read-only", ["--permission-mode", "plan", "--disallowedTools=EnterPlanMode,ExitPlanMode"]],
  ] as const)("with %s permissions", (permissions, args) => {
    expect(argsOf({ permissions })).toEqual([...always, ...args]);
  });

  it("passes every option on, and has neither a prompt nor the session's secret", () => {
    const args = argsOf({
      model: "opus",
      maxTurns: 3,
      maxBudgetUsd: 1.5,
      systemPrompt: "Be brief.",
      appendSystemPrompt: "Be kind.",
      resume: "abc",
      extraArgs: ["--effort", "high"],
    });
    expect(args).toEqual([
      ...always,
      ...["--model", "opus", "--permission-mode", "default", "--max-turns", "3", "--max-budget-usd", "1.5"],
      ...["--system-prompt", "Be brief.", "--append-system-prompt", "Be kind.", "--resume", "abc"],
      ...["--effort", "high"],
    ]);
  });
});
