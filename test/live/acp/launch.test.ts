import { describe, expect, it } from "vitest";
import { acp } from "../../../src/agents/acp/definition.js";
import { copilot } from "../../../src/agents/copilot/definition.js";
import type { AgentDefinition, Launch } from "../../../src/agents/definition.js";
import { gemini } from "../../../src/agents/gemini/definition.js";
import { goose } from "../../../src/agents/goose/definition.js";
import type { LiveTask } from "../../../src/agents/live-contract.js";
import { qwen } from "../../../src/agents/qwen/definition.js";
import { liveTask } from "./fake-host.js";

function launch(agent: AgentDefinition, task: Partial<LiveTask>): Launch | undefined {
  return agent.live?.launch({ ...liveTask, ...task });
}

describe("a session is launched", () => {
  it.each([
    ["full-access", "auto"],
    ["read-only", "chat"],
    ["ask", "approve"],
  ] as const)("with Goose, %s, in the mode %s", (permissions, mode) => {
    const started = launch(goose, { permissions, model: "gpt-5", maxTurns: 3 });
    expect(started?.args).toEqual(["acp"]);
    expect(started?.env).toEqual({ GOOSE_MODE: mode, GOOSE_MODEL: "gpt-5", GOOSE_MAX_TURNS: "3" });
  });

  it.each([
    ["full-access", "yolo"],
    ["read-only", "plan"],
  ] as const)("with Gemini CLI, %s, in the mode %s", (permissions, mode) => {
    const started = launch(gemini, { permissions, model: "pro" });
    expect(started?.args).toEqual(["--acp", "--skip-trust", "--model", "pro", "--approval-mode", mode]);
    expect(started?.files).toBeUndefined();
  });

  it("with Gemini CLI so that it asks before every tool, and before commands that it takes for safe", () => {
    const started = launch(gemini, { permissions: "ask" });
    expect(started?.args.slice(-2)).toEqual(["--policy", "/session/ask.toml"]);
    expect(started?.files?.["ask.toml"]).toContain('toolName = "*"\ndecision = "ask_user"');
    expect(started?.files?.["ask.toml"]).toContain('argsPattern = "."');
  });

  it("with Qwen Code so that it asks before every tool", () => {
    const started = launch(qwen, { permissions: "ask" });
    expect(started?.args).toEqual(["--acp", "--approval-mode=default"]);
    expect(started?.env?.["QWEN_CODE_SYSTEM_DEFAULTS_PATH"]).toBe("/session/settings.json");
    const settings: unknown = JSON.parse(started?.files?.["settings.json"] ?? "");
    expect(settings).toMatchObject({
      permissions: { ask: expect.arrayContaining(["Bash", "Read", "Edit", "Write"]) },
    });
  });

  it("with Qwen Code with the same limits as a run", () => {
    const started = launch(qwen, { permissions: "read-only", systemPrompt: "-x", maxTurns: 3, model: "m" });
    expect(started?.args).toEqual([
      "--acp",
      "--model=m",
      "--approval-mode=plan",
      "--exclude-tools=enter_worktree,exit_worktree,record_artifact",
      "--system-prompt=-x",
      "--max-session-turns=3",
    ]);
  });

  it("with Copilot with the same permissions as a run", () => {
    expect(launch(copilot, { permissions: "full-access" })).toEqual({
      args: ["--acp", "--stdio", "--allow-all"],
    });
    expect(launch(copilot, { permissions: "ask" })).toEqual({
      args: ["--acp", "--stdio"],
      env: { COPILOT_ALLOW_ALL: "false" },
    });
    expect(launch(copilot, { permissions: "read-only" })?.args).toContain("--deny-tool=write");
  });

  it("with the arguments that the user adds, last", () => {
    for (const agent of [goose, gemini, qwen, copilot, acp])
      expect(launch(agent, { extraArgs: ["--mine"] })?.args.at(-1)).toBe("--mine");
  });

  it("not at all with an option that the agent's sessions do not have", () => {
    expect(() => launch(goose, { appendSystemPrompt: "x" })).toThrow("an addition to the system prompt");
    expect(() => launch(acp, { maxTurns: 3 })).toThrow("a limit of turns (maxTurns) in a live session");
  });
});
