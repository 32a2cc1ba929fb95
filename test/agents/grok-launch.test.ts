import { expect, it } from "vitest";
import { launchGrok } from "../../src/agents/grok/launch.js";
import { launchTask } from "../support/launch-task.js";

it("runs headless with full access and partial messages", () => {
  expect(launchGrok(launchTask())).toEqual({
    args: [
      "--output-format=streaming-messages-json",
      "--include-partial-messages",
      "--always-approve",
      "--single=Fix the failing test",
    ],
  });
});

it("passes every option on, and extra arguments before the prompt", () => {
  const task = launchTask({
    model: "grok-4.6",
    permissions: "read-only",
    systemPrompt: "- be brief",
    appendSystemPrompt: "-- and kind",
    maxTurns: 3,
    resume: "01a1e2d7-1691-7ea1-9403-e5fbcafdd77d",
    extraArgs: ["--debug"],
  });
  expect(launchGrok(task).args.slice(2, -1)).toEqual([
    "--model=grok-4.6",
    "--permission-mode=plan",
    "--tools=read_file,grep,list_dir",
    "--system-prompt-override=- be brief",
    "--rules=-- and kind",
    "--max-turns=3",
    "--resume=01a1e2d7-1691-7ea1-9403-e5fbcafdd77d",
    "--debug",
  ]);
});

it.each(["-x is a flag", "--always-approve", "login"])(
  "keeps %j from being read as a flag or a subcommand",
  (prompt) => {
    expect(launchGrok(launchTask({ prompt })).args.at(-1)).toBe(`--single=${prompt}`);
  },
);

it("passes a prompt of 127 KiB on and refuses a longer one, since it reads none from standard input", () => {
  const longest = "x".repeat(127 * 1024);
  expect(launchGrok(launchTask({ prompt: longest })).args.at(-1)).toBe(`--single=${longest}`);
  expect(() => launchGrok(launchTask({ prompt: `${longest}é` }))).toThrow(
    /^Grok Build takes a prompt only as an argument of at most 130048 bytes, and this prompt has 130050; put its long part into a file/,
  );
});
