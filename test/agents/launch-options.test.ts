import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { copilot } from "../../src/agents/copilot/definition.js";
import type { AgentDefinition, Launch, LaunchTask } from "../../src/agents/definition.js";
import { droid } from "../../src/agents/droid/definition.js";
import { grok } from "../../src/agents/grok/definition.js";
import { pi } from "../../src/agents/pi/definition.js";
import { qwen } from "../../src/agents/qwen/definition.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

const secret = "a-secret-value";
const mcpServers = {
  local: { command: "node", args: ["server.mjs"], env: { TOKEN: secret } },
  remote: { url: "https://mcp.example.com", headers: { Authorization: `Bearer ${secret}` } },
};
const schema = { type: "object", properties: { word: { type: "string" } } };

/** The arguments that a task has because of one option. */
function added(agent: AgentDefinition, options: Partial<LaunchTask>): string[] {
  const before = agent.launch(launchTask({ resume: session })).args;
  return agent
    .launch(launchTask({ resume: session, ...options }))
    .args.filter((arg) => !before.includes(arg));
}

/** Copilot makes a new id for every new session. */
const session = "3d1e465a-8f0c-4f53-9a5c-3a1f6ab1d5c1";

describe("MCP servers", () => {
  it.each([
    [claude, ["--mcp-config=/run/mcp-servers.json"]],
    [qwen, ["--mcp-config=/run/mcp-servers.json"]],
    [copilot, ["--additional-mcp-config=@/run/mcp-servers.json"]],
    [pi, ["--extension", "/run/harness-mcp-servers.mjs"]],
  ] as const)("of $id are in a file, because they may hold secrets", (agent, args) => {
    expect(added(agent, { mcpServers })).toEqual(args);
    for (const prompt of ["Fix it", longPrompt]) {
      const { files = {}, ...launch }: Launch = agent.launch(launchTask({ mcpServers, prompt }));
      expect(Object.values(files).join()).toContain(secret);
      expect(JSON.stringify(launch)).not.toContain(secret);
    }
  });

  it.each([
    [
      claude,
      {
        local: { type: "stdio", ...mcpServers.local },
        remote: { type: "http", ...mcpServers.remote },
      },
    ],
    [
      qwen,
      {
        local: mcpServers.local,
        remote: { httpUrl: mcpServers.remote.url, headers: mcpServers.remote.headers },
      },
    ],
    [
      copilot,
      {
        local: { type: "local", tools: ["*"], ...mcpServers.local },
        remote: { type: "http", tools: ["*"], ...mcpServers.remote },
      },
    ],
  ] as const)("of $id are written in its own words", (agent, servers) => {
    const { files = {} } = agent.launch(launchTask({ mcpServers }));
    expect(JSON.parse(files["mcp-servers.json"] ?? "")).toEqual({ mcpServers: servers });
  });
});

it.each([
  [claude, ["--effort", "low"]],
  [grok, ["--reasoning-effort=low"]],
  [droid, ["--reasoning-effort", "low"]],
  [pi, ["--thinking", "low"]],
  [copilot, ["--reasoning-effort=low"]],
] as const)("the effort of $id is an argument", (agent, args) => {
  expect(agent.capabilities.effort).toContain("low");
  expect(added(agent, { effort: "low" })).toEqual(args);
});

it.each([
  [claude, `--json-schema=${JSON.stringify(schema)}`],
  [qwen, `--json-schema=${JSON.stringify(schema)}`],
  [grok, `--json-schema=${JSON.stringify(schema)}`],
] as const)("the schema of $id is an argument", (agent, arg) => {
  expect(added(agent, { schema })).toEqual([arg]);
});

describe("allowed tools", () => {
  it.each([
    [claude, ["Read", "Bash"], ["--tools=Read,Bash", "--strict-mcp-config"]],
    [grok, ["read_file", "write"], ["--tools=read_file,write", "--disallowed-tools=search_tool,use_tool"]],
    [grok, ["use_tool"], ["--tools=use_tool", "--disallowed-tools=search_tool"]],
    [droid, ["Read", "Edit"], ["--only-tools", "Read,Edit"]],
    [pi, ["read", "bash"], ["--tools", "read,bash,mcp__"]],
    [pi, ["read", "mcp__demo__*"], ["--tools", "read,mcp__demo__*"]],
    [copilot, ["view", "bash"], ["--available-tools=view,bash"]],
  ] as const)("of $id: %j", (agent, allowedTools, args) => {
    expect(added(agent, { allowedTools })).toEqual(args);
  });

  it.each([
    [grok, ["grep", "write"], "--tools=grep"],
    [droid, ["Grep", "Edit"], "Grep"],
    [pi, ["grep", "bash"], "grep,mcp__"],
  ] as const)("of $id that write are left out of a read-only run", (agent, allowedTools, arg) => {
    expect(agent.launch(launchTask({ allowedTools, permissions: "read-only" })).args).toContain(arg);
  });

  it("of Claude Code can have whole servers of the task, and the others are denied", () => {
    expect(added(claude, { allowedTools: ["Read", "mcp__local"], mcpServers })).toEqual([
      "--mcp-config=/run/mcp-servers.json",
      "--tools=Read",
      "--strict-mcp-config",
      "--disallowedTools=mcp__remote",
    ]);
  });

  it.each(["mcp__local__look_up", "mcp__other"])("of Claude Code cannot have %s", (name) => {
    const begin = () => claude.launch(launchTask({ allowedTools: [name], mcpServers }));
    expect(begin).toThrow(
      `Claude Code cannot be limited to ${name}; name whole servers of \`mcpServers\` in \`allowedTools\` (mcp__local, mcp__remote)`,
    );
  });
});
