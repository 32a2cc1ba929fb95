import { expect, it } from "vitest";
import { launchQwen } from "../../src/agents/qwen/launch.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

it("runs headless with full access, as one process", () => {
  expect(launchQwen(launchTask())).toEqual({
    args: [
      "--output-format=stream-json",
      "--include-partial-messages",
      "--yolo",
      "--prompt=Fix the failing test",
    ],
    env: { QWEN_CODE_NO_RELAUNCH: "true", QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" },
  });
});

it("passes every option on, and extra arguments last", () => {
  const task = launchTask({
    model: "qwen3-coder-plus",
    permissions: "read-only",
    systemPrompt: "- be brief",
    appendSystemPrompt: "-- and kind",
    maxTurns: 3,
    resume: "0508c7b6-ac92-4bf5-9a5d-8219d8e9fd38",
    extraArgs: ["--debug"],
  });
  expect(launchQwen(task).args.slice(2, -1)).toEqual([
    "--model=qwen3-coder-plus",
    "--approval-mode=plan",
    "--exclude-tools=enter_worktree,exit_worktree,record_artifact",
    "--system-prompt=- be brief",
    "--append-system-prompt=-- and kind",
    "--max-session-turns=3",
    "--resume=0508c7b6-ac92-4bf5-9a5d-8219d8e9fd38",
    "--debug",
  ]);
});

it.each(["-x is a flag", "--yolo", "mcp", ""])(
  "keeps %j from being read as a flag or a subcommand",
  (prompt) => {
    expect(launchQwen(launchTask({ prompt })).args.at(-1)).toBe(`--prompt=${prompt}`);
  },
);

it("writes a long prompt to standard input, and only there", () => {
  const launch = launchQwen(launchTask({ prompt: longPrompt }));
  expect(launch.stdin).toBe(longPrompt);
  expect(launch.args.join(" ")).not.toContain("--prompt");
});
