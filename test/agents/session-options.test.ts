import { describe, expect, it } from "vitest";
import { codex } from "../../src/agents/codex/definition.js";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { kilo } from "../../src/agents/kilo/definition.js";
import { opencode } from "../../src/agents/opencode/definition.js";

const mcpServers = { demo: { command: "node", env: { API_KEY: "secret-1" } } };

function launchSession({ live }: AgentDefinition, more: object) {
  const session = {
    cwd: "/repo",
    directory: "/run",
    permissions: "ask",
    extraArgs: [],
    password: "p",
  } as const;
  return live?.launch({ ...session, ...more });
}

describe("options of a session", () => {
  it("of Codex are settings, as in a run", () => {
    const launch = launchSession(codex, { mcpServers, effort: "low" });
    expect(launch?.args).toContain(
      'mcp_servers.demo={ command = "node", args = [], env_vars = ["API_KEY"] }',
    );
    expect(launch?.args).toContain('model_reasoning_effort="low"');
    expect(launch?.env).toEqual({ API_KEY: "secret-1" });
    expect(codex.live?.options).toEqual(["mcpServers", "effort"]);
  });

  it.each([
    ["OPENCODE", opencode],
    ["KILO", kilo],
  ] as const)("of %s are in its configuration, as in a run", (prefix, agent) => {
    const { env = {} } = launchSession(agent, { mcpServers }) ?? {};
    expect(JSON.parse(env[`${prefix}_CONFIG_CONTENT`] ?? "")).toMatchObject({
      mcp: { demo: { command: ["node"], environment: { API_KEY: "secret-1" } } },
    });
    expect(agent.live?.options).toEqual(["mcpServers"]);
  });
});
