import { expect, it } from "vitest";
import { antigravity } from "../../src/agents/antigravity/definition.js";
import { launchAntigravity } from "../../src/agents/antigravity/launch.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

const start = ["--output-format", "stream-json", "--print-timeout", "24h", "--dangerously-skip-permissions"];

it("puts the prompt behind = so that no flag is swallowed", () => {
  expect(launchAntigravity(launchTask({ prompt: "--help me" }))).toEqual({
    args: [...start, "--print=--help me"],
  });
});

it("passes model, conversation and extra arguments on", () => {
  const task = launchTask({ model: "gemini-3.8-flash-high", resume: "abc", extraArgs: ["--sandbox"] });
  const args = ["--model", "gemini-3.8-flash-high", "--conversation", "abc", "--sandbox"];
  expect(launchAntigravity(task).args).toEqual([...start, ...args, "--print=Fix the failing test"]);
});

it("passes a schema on", () => {
  const { args } = launchAntigravity(launchTask({ schema: { type: "object" } }));
  expect(args).toEqual([...start, '--json-schema={"type":"object"}', "--print=Fix the failing test"]);
});

it("writes a long prompt to standard input as a message", () => {
  const launch = launchAntigravity(launchTask({ prompt: longPrompt }));
  expect(launch.args.slice(-3)).toEqual(["--input-format", "stream-json", "--print="]);
  expect(JSON.parse(launch.stdin ?? "")).toEqual({
    event: "user",
    message: { role: "user", content: longPrompt },
  });
});

it("does not pretend that it can be kept from writing", () => {
  expect(antigravity.capabilities.readOnly).toBe(false);
});
