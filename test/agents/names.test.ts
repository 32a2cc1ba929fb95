import { describe, expect, expectTypeOf, it } from "vitest";
import type { createTranslator, translate } from "../../src/agents/create-translator.js";
import {
  type AgentId,
  agents,
  type BuiltInAgentId,
  findAgent,
  requireAgent,
} from "../../src/agents/registry.js";
import type { ListOptions } from "../../src/runs/archive/list.js";
import type { Task } from "../../src/runs/task.js";

/** Checked by the compiler. */
describe("the type of an agent's name", () => {
  it("is the ids of the built-in agents, which editors complete", () => {
    expectTypeOf<BuiltInAgentId>().toEqualTypeOf<
      | "claude"
      | "codex"
      | "opencode"
      | "cursor"
      | "cline"
      | "goose"
      | "kilo"
      | "pi"
      | "antigravity"
      | "bob"
      | "gemini"
      | "qwen"
      | "grok"
      | "copilot"
      | "acp"
      | "droid"
      | "kimi"
      | "generic"
    >();
    expectTypeOf<Extract<AgentId, "claude">>().toEqualTypeOf<"claude">();
  });

  it("allows aliases and agents of users", () => {
    expectTypeOf<string>().toExtend<AgentId>();
    expectTypeOf<AgentId>().toExtend<string>();
  });

  it("is the same wherever an agent is named", () => {
    expectTypeOf<AgentId>().toExtend<Parameters<typeof createTranslator>[0]>();
    expectTypeOf<AgentId>().toExtend<Parameters<typeof translate>[0]>();
    expectTypeOf<Parameters<typeof findAgent>[0]>().toEqualTypeOf<AgentId>();
    expectTypeOf<Extract<Task["agent"], "claude">>().toEqualTypeOf<"claude">();
    expectTypeOf<NonNullable<ListOptions["agent"]>>().toEqualTypeOf<AgentId>();
  });
});

describe("an agent's name", () => {
  it.each([
    ["claude", "claude"],
    ["Claude", "claude"],
    ["CLAUDE", "claude"],
    ["claude-code", "claude"],
    ["claude_code", "claude"],
    ["opencode", "opencode"],
    ["open-code", "opencode"],
    ["open_code", "opencode"],
    ["codex", "codex"],
    ["openai-codex", "codex"],
    ["openai_codex", "codex"],
    ["cursor", "cursor"],
    ["cursor-agent", "cursor"],
    ["cursor_agent", "cursor"],
    ["qwen-code", "qwen"],
    ["Grok_Build", "grok"],
    ["github-copilot", "copilot"],
    ["copilot_cli", "copilot"],
    ["factory-droid", "droid"],
    ["kimi-code", "kimi"],
    ["KimiCLI", "kimi"],
  ])("%s is %s", (name, id) => {
    expect(findAgent(name)?.id).toBe(id);
  });

  it.each(["", "nobody", "gpt", "claude code!"])("%j is nobody's, and the known ones are told", (name) => {
    expect(findAgent(name)).toBeUndefined();
    expect(() => requireAgent(name)).toThrow(/^unknown agent ".*; known agents: claude, codex, opencode,/);
  });

  it.each([
    ["claude", "Claude Code", ["claude"]],
    ["codex", "Codex", ["codex"]],
    ["opencode", "OpenCode", ["opencode"]],
    ["cursor", "Cursor", ["cursor-agent", "agent"]],
    ["copilot", "GitHub Copilot CLI", ["copilot"]],
    ["droid", "Droid", ["droid"]],
    ["kimi", "Kimi Code", ["kimi"]],
  ])("%s is shown as %s and looked for as %j", (id, name, binaries) => {
    expect(findAgent(id)).toMatchObject({ name, binaries });
  });

  it("belongs to one agent", () => {
    const names = agents.flatMap(({ id, aliases }) => [id, ...aliases]);
    for (const name of names) expect(agents.filter((agent) => agent === findAgent(name))).toHaveLength(1);
    expect(new Set(names).size).toBe(names.length);
  });
});
