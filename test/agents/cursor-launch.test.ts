import { expect, it } from "vitest";
import { launchCursor } from "../../src/agents/cursor/launch.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

const start = ["-p", "--output-format", "stream-json", "--stream-partial-output"];

it("runs headless with full access, the prompt last", () => {
  expect(launchCursor(launchTask())).toEqual({
    args: [...start, "--force", "--approve-mcps", "Fix the failing test"],
  });
});

it("passes model, read-only permissions, session and extra arguments on", () => {
  const task = launchTask({
    model: "composer-2",
    permissions: "read-only",
    resume: "abc",
    extraArgs: ["--sandbox", "enabled"],
  });
  const args = [
    "--model",
    "composer-2",
    "--mode",
    "plan",
    "--trust",
    "--resume",
    "abc",
    "--sandbox",
    "enabled",
  ];
  expect(launchCursor(task).args).toEqual([...start, ...args, "Fix the failing test"]);
});

it.each(["-h says what?", "login", "", longPrompt])(
  "gives a prompt that could be misread to standard input",
  (prompt) => {
    const launch = launchCursor(launchTask({ prompt }));
    expect(launch.stdin).toBe(prompt);
    expect(launch.args.at(-1)).toBe("--approve-mcps");
  },
);
