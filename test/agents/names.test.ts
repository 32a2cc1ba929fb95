import { describe, expect, it } from "vitest";
import { agents, findAgent, requireAgent } from "../../src/agents/registry.js";

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
  ])("%s is shown as %s and looked for as %j", (id, name, binaries) => {
    expect(findAgent(id)).toMatchObject({ name, binaries });
  });

  it("belongs to one agent", () => {
    const names = agents.flatMap(({ id, aliases }) => [id, ...aliases]);
    for (const name of names) expect(agents.filter((agent) => agent === findAgent(name))).toHaveLength(1);
    expect(new Set(names).size).toBe(names.length);
  });
});
