import { describe, expect, it } from "vitest";
import { launchCline } from "../../src/agents/cline/launch.js";
import { HarnessError } from "../../src/errors.js";
import { launchTask } from "../support/launch-task.js";

const promptOf = (prompt: string) => launchCline(launchTask({ prompt })).args.at(-1);

it("runs in the process itself, with every tool approved and without updating itself", () => {
  expect(launchCline(launchTask())).toEqual({
    args: ["--json", "--auto-approve", "true", "--", "Fix the failing test"],
    env: { CLINE_SESSION_BACKEND_MODE: "local", CLINE_NO_AUTO_UPDATE: "1" },
  });
});

it("passes read-only permissions, model, system prompt and extra arguments on, before the prompt", () => {
  const task = launchTask({
    permissions: "read-only",
    model: "gpt-5.1",
    systemPrompt: "-be brief",
    extraArgs: ["-P", "openrouter"],
  });
  expect(launchCline(task).args).toEqual([
    "--json",
    "--plan",
    "--auto-approve",
    "true",
    "--model",
    "gpt-5.1",
    "--system",
    "-be brief",
    "-P",
    "openrouter",
    "--",
    "Fix the failing test",
  ]);
});

it.each(["doctor", "hello", "-x marks the spot", "--config=/tmp do it", ""])(
  "keeps %j from being read as a command or a flag by a line feed that Cline trims away",
  (prompt) => expect(promptOf(prompt)).toBe(`\n${prompt}`),
);

it.each(["two words", "line one\nline two", " leading space"])("leaves %j as it is", (prompt) =>
  expect(promptOf(prompt)).toBe(prompt),
);

describe("a prompt that does not fit into an argument, since Cline reads no other", () => {
  it("is passed on up to the limit of Linux", () => {
    const prompt = `${"x ".repeat(65_535)}y`;
    expect(promptOf(prompt)).toBe(prompt);
  });

  it("is refused beyond it, counted in bytes, with what to do instead", () => {
    const launch = () => launchCline(launchTask({ prompt: `go ${"é".repeat(65_600)}` }));
    expect(launch).toThrow(HarnessError);
    expect(launch).toThrow(/131203.*file/);
  });
});
