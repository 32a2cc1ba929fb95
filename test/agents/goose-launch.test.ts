import { describe, expect, it } from "vitest";
import type { LaunchTask } from "../../src/agents/definition.js";
import { launchGoose } from "../../src/agents/goose/launch.js";

const task: LaunchTask = {
  prompt: "Fix it",
  cwd: "/repo",
  directory: "/run",
  permissions: "full-access",
  extraArgs: [],
};
const base = ["run", "--output-format", "stream-json"];

describe("goose: launch", () => {
  it("runs every tool unless it may only read, and keeps the banner", () => {
    expect(launchGoose(task)).toEqual({ args: [...base, "--text=Fix it"], env: { GOOSE_MODE: "auto" } });
    expect(launchGoose({ ...task, permissions: "read-only" }).env).toEqual({ GOOSE_MODE: "chat" });
  });

  it("passes every option that Goose has", () => {
    const options = {
      model: "gpt-4o",
      appendSystemPrompt: "- Be brief",
      maxTurns: 7,
      extraArgs: ["--no-profile"],
    };
    expect(launchGoose({ ...task, ...options }).args).toEqual([
      ...base,
      ...["--model", "gpt-4o", "--system=- Be brief", "--max-turns", "7", "--no-profile", "--text=Fix it"],
    ]);
  });

  it("resumes by id, or by the name that a session was given", () => {
    const resumed = (resume: string) => launchGoose({ ...task, resume }).args.slice(base.length, -1);
    expect(resumed("20261115_35")).toEqual(["--resume", "--session-id", "20261115_35"]);
    expect(resumed("demo-sess")).toEqual(["--resume", "--name", "demo-sess"]);
  });

  it("keeps a prompt that begins with a hyphen a prompt", () => {
    expect(launchGoose({ ...task, prompt: "--help" }).args.at(-1)).toBe("--text=--help");
  });

  it("hands a long prompt over on standard input", () => {
    const prompt = "x".repeat(70_000);
    const launch = launchGoose({ ...task, prompt });
    expect(launch.args).toEqual([...base, "--instructions", "-"]);
    expect(launch.stdin).toBe(prompt);
  });
});
