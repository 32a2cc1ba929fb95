import { describe, expect, it } from "vitest";
import type { LaunchTask } from "../../src/agents/definition.js";
import { launchPi } from "../../src/agents/pi/launch.js";

const task: LaunchTask = {
  prompt: "Fix it",
  cwd: "/repo",
  directory: "/run",
  permissions: "full-access",
  extraArgs: [],
};

describe("pi: launch", () => {
  it("prints the answer to the prompt as JSON", () => {
    expect(launchPi(task)).toEqual({ args: ["--mode", "json", "--print", "Fix it"] });
  });

  it("passes every option that Pi has", () => {
    const options = {
      model: "openai/gpt-4o:high",
      systemPrompt: "You are",
      appendSystemPrompt: "Be brief",
      resume: "01a1",
    };
    expect(launchPi({ ...task, ...options, permissions: "read-only" }).args).toEqual([
      ...["--mode", "json", "--model", "openai/gpt-4o:high", "--tools", "read,grep,find,ls"],
      ...[
        "--system-prompt",
        "You are",
        "--append-system-prompt",
        "Be brief",
        "--session",
        "01a1",
        "--print",
        "Fix it",
      ],
    ]);
  });

  it("does not let an option of an extension take the prompt for its value", () => {
    expect(launchPi({ ...task, extraArgs: ["--plan"] }).args.slice(-3)).toEqual([
      "--plan",
      "--print",
      "Fix it",
    ]);
  });

  it.each(["-v", "--help", "---", "@secrets.txt", "x".repeat(70_000)])(
    "hands %.20s over on standard input",
    (prompt) => {
      expect(launchPi({ ...task, prompt })).toEqual({ args: ["--mode", "json", "--print"], stdin: prompt });
    },
  );
});
