import { expect, it } from "vitest";
import { launchGemini } from "../../src/agents/gemini/launch.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

it("runs headless with full access in a folder that need not be trusted", () => {
  expect(launchGemini(launchTask())).toEqual({
    args: ["--output-format", "stream-json", "--skip-trust", "--yolo", "--prompt=Fix the failing test"],
  });
});

it("passes model, read-only permissions, session and extra arguments on", () => {
  const task = launchTask({
    model: "gemini-2.5-pro",
    permissions: "read-only",
    resume: "latest",
    extraArgs: ["--debug"],
  });
  const args = ["--model", "gemini-2.5-pro", "--approval-mode", "plan", "--resume", "latest", "--debug"];
  expect(launchGemini(task).args.slice(3, -1)).toEqual(args);
});

it.each(["-x is a flag", "--yolo", "mcp", ""])(
  "keeps %j from being read as a flag or a subcommand",
  (prompt) => {
    expect(launchGemini(launchTask({ prompt })).args.at(-1)).toBe(`--prompt=${prompt}`);
  },
);

it("writes a long prompt to standard input, and only there", () => {
  const launch = launchGemini(launchTask({ prompt: longPrompt }));
  expect(launch.stdin).toBe(longPrompt);
  expect(launch.args.join(" ")).not.toContain("--prompt");
});
