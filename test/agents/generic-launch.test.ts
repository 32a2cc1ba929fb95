import { expect, it } from "vitest";
import { launchGeneric } from "../../src/agents/generic/launch.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

it("gives the program its extra arguments, then the prompt", () => {
  expect(launchGeneric(launchTask({ extraArgs: ["--fast"] }))).toEqual({
    args: ["--fast", "Fix the failing test"],
  });
});

it("writes a prompt that is too long for an argument to standard input", () => {
  expect(launchGeneric(launchTask({ prompt: longPrompt }))).toEqual({ args: [], stdin: longPrompt });
});
