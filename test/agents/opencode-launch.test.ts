import { expect, it } from "vitest";
import { opencode } from "../../src/agents/opencode/definition.js";
import { launchOpencode } from "../../src/agents/opencode/launch.js";
import { findAgent } from "../../src/agents/registry.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

it("writes every prompt to standard input, since arguments are altered", () => {
  for (const prompt of ["Fix the failing test", "--help", "models", "-", longPrompt]) {
    const launch = launchOpencode(launchTask({ prompt }));
    expect(launch.args).toEqual(["run", "--format", "json", "--thinking", "--auto"]);
    expect(launch.stdin).toBe(prompt);
  }
});

it("passes model, session and extra arguments on", () => {
  const task = launchTask({ model: "openai/gpt-5", resume: "ses_1", extraArgs: ["--variant", "high"] });
  expect(launchOpencode(task).args.slice(5)).toEqual([
    ...["--model", "openai/gpt-5", "--session", "ses_1", "--variant", "high"],
  ]);
});

it("leaves only tools that read to a read-only run, and grants nothing that is asked for", () => {
  const { args, env } = launchOpencode(launchTask({ permissions: "read-only" }));
  expect(args).toEqual(["run", "--format", "json", "--thinking", "--agent", "plan"]);
  const rules = JSON.parse(env?.["OPENCODE_PERMISSION"] ?? "{}");
  expect(rules).toMatchObject({ "*": "deny", bash: "deny", edit: "deny", read: "allow", grep: "allow" });
  expect(Object.keys(rules)[0]).toBe("*");
});

it("says what it cannot be told", () => {
  const { systemPrompt, appendSystemPrompt, maxTurns, maxBudgetUsd } = opencode.capabilities;
  expect([systemPrompt, appendSystemPrompt, maxTurns, maxBudgetUsd]).toEqual([false, false, false, false]);
});

it("is found by every spelling of its name", () => {
  for (const name of ["opencode", "OpenCode", "open-code", "open_code", "opencode-ai"])
    expect(findAgent(name)).toBe(opencode);
});
