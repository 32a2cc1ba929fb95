import { describe, expect, it } from "vitest";
import { defineAgent } from "../../src/agents/define-agent.js";
import { agents, requireAgent } from "../../src/agents/registry.js";
import { createConfig } from "../../src/config/load-config.js";
import { checkConfig } from "../../src/config/read-config.js";
import { refuseWeakening } from "../../src/config/refuse-weakening.js";

const readers = agents.filter(({ capabilities }) => capabilities.readOnly);

function refusal(agent: string, toml: string, path = "/p/harness.toml"): string {
  const config = createConfig([checkConfig(path, `[agents.${agent}]\n${toml}\n`)]);
  try {
    refuseWeakening(requireAgent(agent), "read-only", config);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "";
}

const args = (...words: string[]): string => `extra_args = ${JSON.stringify(words)}`;

describe("arguments from a file, in a read-only run", () => {
  it.each(readers.map(({ id }) => id))("%s: what gives it full access is refused", (id) => {
    const agent = requireAgent(id);
    const base = { prompt: "do it now", cwd: "/", directory: "/run", extraArgs: [] };
    const full = agent.launch({ ...base, permissions: "full-access" });
    const read = agent.launch({ ...base, permissions: "read-only" });
    const words = full.args.filter((word) => !read.args.includes(word));
    for (const word of words) expect(refusal(id, args(word)), word).toContain(`"${word}"`);
    const variables = Object.keys({ ...full.env, ...read.env }).filter(
      (name) => full.env?.[name] !== read.env?.[name],
    );
    for (const name of variables)
      for (const file of ["/p/harness.toml", "/home/config.toml"])
        expect(refusal(id, `env = { ${name} = "x" }`, file), name).toContain(`the variable ${name}`);
    expect([...words, ...variables].length + (id === "pi" || id === "cline" ? 1 : 0)).toBeGreaterThan(0);
  });

  it.each([
    ["claude", ["--permission-mode", "acceptEdits"]],
    ["claude", ["--permission-mode=bypassPermissions"]],
    ["claude", ["--allowedTools", "Bash"]],
    ["claude", ["--settings", "x.json"]],
    ["claude", ["--mcp-config=x"]],
    ["claude", ["--effort", "high", "--dangerously-skip-permissions"]],
    ["claude", ["--effort", "--dangerously-skip-permissions"]],
    ["claude", ["--effort=high --dangerously-skip-permissions"]],
    ["claude", ["--verbose", "mcp"]],
    ["claude", ["--", "mcp"]],
    ["claude", ["-"]],
    ["claude", [""]],
    ["codex", ["--sandbox", "danger-full-access"]],
    ["codex", ["-s=workspace-write"]],
    ["codex", ["-c", "sandbox_mode=danger-full-access"]],
    ["codex", ["-c", "model_reasoning_effort=x\nsandbox_mode=y"]],
    ["codex", ["--yolo"]],
    ["codex", ["--profile", "loose"]],
    ["opencode", ["--agent", "build"]],
    ["opencode", ["--auto"]],
    ["gemini", ["--approval-mode", "yolo"]],
    ["goose", ["--with-builtin", "developer"]],
    ["pi", ["--tools", "bash"]],
    ["pi", ["--extension", "./x.ts"]],
    ["cline", ["--auto-approve", "true"]],
    ["cursor", ["--force"]],
    ["qwen", ["--approval-mode=yolo"]],
    ["qwen", ["--allowed-tools=run_shell_command"]],
    ["grok", ["--permission-mode=acceptEdits"]],
    ["grok", ["--allow", "Bash"]],
    ["copilot", ["--allow-all"]],
    ["copilot", ["--allow-tool=shell"]],
    ["copilot", ["--additional-mcp-config=x"]],
    ["droid", ["--add-tools", "Execute"]],
    ["droid", ["--auto", "high"]],
    ["droid", ["--settings=x.json"]],
  ])("%s %j is refused", (agent, words) => {
    expect(refusal(agent, args(...words))).toMatch(
      /^\/p\/harness\.toml:2: the argument .* may let .* do more than read, and this run is read-only; remove it from the file, or run with --permissions full-access$/,
    );
    expect(refusal(agent, args(...words), "/home/config.toml")).toContain("do more than read");
  });

  it.each([
    ["claude", ["--effort", "high"]],
    ["claude", ["--effort=high", "--verbose", "--max-turns", "3"]],
    ["codex", ["-c", 'model_reasoning_effort="high"']],
    ["opencode", ["--variant", "high", "--thinking"]],
    ["pi", ["--thinking", "high"]],
    ["qwen", ["--max-session-turns", "3"]],
    ["grok", ["--reasoning-effort", "high", "--no-subagents"]],
    ["copilot", ["--reasoning-effort", "high", "--stream=off"]],
    ["droid", ["--reasoning-effort=high"]],
    ["claude", []],
  ])("%s %j is passed on", (agent, words) => {
    expect(refusal(agent, args(...words))).toBe("");
  });

  it("follow the base agent if its launcher is used, and are all refused for a custom launcher", () => {
    const like = defineAgent({ id: "mine", translator: "claude" });
    const own = defineAgent({ id: "mine", translator: "claude", launch: () => ({ args: [] }) });
    const config = createConfig([
      checkConfig("/p/harness.toml", `[agents.mine]\ntranslator = "claude"\n${args("--effort", "high")}\n`),
    ]);
    expect(() => refuseWeakening(like, "read-only", config)).not.toThrow();
    expect(() => refuseWeakening(own, "read-only", config)).toThrow(/--effort/);
    expect(() => refuseWeakening(own, "full-access", config)).not.toThrow();
  });
});

describe("variables from a file, in a read-only run", () => {
  it.each(["CLAUDE_CONFIG_DIR", "NODE_OPTIONS", "PATH", "LD_PRELOAD", "ANTHROPIC_BASE_URL"])(
    "%s is refused from a project's file and accepted from the user's own",
    (name) => {
      expect(refusal("claude", `env = { ${name} = "x" }`)).toContain(`the variable ${name} (env)`);
      expect(refusal("claude", `env = { ${name} = "x" }`, "/home/config.toml")).toBe("");
    },
  );

  it.each(["ANTHROPIC_API_KEY", "HTTPS_PROXY", "no_proxy", "LC_ALL", "TZ"])("%s is passed on", (name) => {
    expect(refusal("claude", `env = { ${name} = "x" }`)).toBe("");
  });
});
