import { describe, expect, it } from "vitest";
import { launchBob } from "../../src/agents/bob/launch.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

describe("Bob 2.x", () => {
  it("is what a task is launched with", () => {
    expect(launchBob(launchTask())).toEqual({
      args: [
        ...["run", "--format", "stream-json", "--trust", "--accept-license", "--mode", "agent"],
        ...["--", "Fix the failing test"],
      ],
    });
  });

  it("cannot write or run anything when it may only read", () => {
    const { args } = launchBob(launchTask({ permissions: "read-only" }));
    expect(args.join(" ")).toContain("--mode ask --disable-tool-groups edit,execute");
  });

  it("takes turns, a task to resume and extra arguments before the prompt", () => {
    const { args } = launchBob(
      launchTask({ prompt: "-h", maxTurns: 5, resume: "abc", extraArgs: ["--disable-mcp"] }),
    );
    expect(args.slice(7)).toEqual(["--max-turns", "5", "--resume", "abc", "--disable-mcp", "--", "-h"]);
  });

  it("reads a long prompt from standard input", () => {
    const launch = launchBob(launchTask({ prompt: longPrompt }));
    expect(launch.stdin).toBe(longPrompt);
    expect(launch.args).not.toContain("--");
  });
});

describe("Bob 1.x", () => {
  const extraArgs = ["--chat-mode", "code"];

  it("is chosen by the flag that only it has", () => {
    expect(launchBob(launchTask({ extraArgs })).args).toEqual([
      ...["--output-format", "stream-json", "--accept-license", "--approval-mode", "yolo"],
      ...["--chat-mode", "code", "--prompt=Fix the failing test"],
    ]);
    expect(launchBob(launchTask({ extraArgs: ["--chat-mode=ask"] })).args[0]).toBe("--output-format");
  });

  it("asks before it writes when it may only read, which headless is a no", () => {
    const { args } = launchBob(launchTask({ extraArgs, permissions: "read-only" }));
    expect(args.slice(3, 5)).toEqual(["--approval-mode", "default"]);
  });

  it("reads a long prompt from standard input", () => {
    const launch = launchBob(launchTask({ extraArgs, prompt: longPrompt }));
    expect(launch.args.slice(-2)).toEqual(["-p", "-"]);
    expect(launch.stdin).toBe(longPrompt);
  });

  it("refuses a limit of turns, which it does not have", () => {
    expect(() => launchBob(launchTask({ extraArgs, maxTurns: 3 }))).toThrow("Bob 1.x");
  });
});
