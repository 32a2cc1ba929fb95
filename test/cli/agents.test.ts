import { describe, expect, it } from "vitest";
import { agents } from "../../src/agents/registry.js";
import { harness, program } from "./harness.js";

const nothingInstalled = { env: { PATH: "/nowhere" } };

describe("harness list", () => {
  it("lists every agent, installed or not, with how to install it", async () => {
    const { stdout, exitCode } = await harness(["list"], nothingInstalled);
    const lines = stdout.toString().split("\n");
    expect(exitCode).toBe(0);
    for (const { id, install } of agents.filter(({ binaries }) => binaries.length > 0)) {
      const line = lines.find((candidate) => candidate.startsWith(`${id} `));
      expect(line).toContain("not installed");
      expect(line).toContain(install);
    }
  });

  it("prints JSON", async () => {
    const { stdout } = await harness(["list", "--json"], nothingInstalled);
    const reports = JSON.parse(stdout.toString());
    expect(reports.map((report: { agent: string }) => report.agent)).toEqual(agents.map(({ id }) => id));
    expect(reports[0]).toMatchObject({ agent: "claude", name: "Claude Code", isInstalled: false });
  });
});

describe("harness check", () => {
  const versioned = program('console.log("9.8.7 (Claude Code)");');

  it("says what an agent is, can do and needs, and never a value of a variable", async () => {
    const { stdout, exitCode } = await harness(["check", "claude-code", "--binary", versioned], {
      env: { ANTHROPIC_API_KEY: "sk-secret" },
    });
    const text = stdout.toString();
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^✓ Claude Code 9\.8\.7\n/);
    expect(text).toContain(versioned);
    expect(text).toMatch(/can +--model, .*--max-budget-usd/);
    expect(text).toContain("ANTHROPIC_API_KEY (set)");
    expect(text).not.toContain("sk-secret");
  });

  it("prints JSON", async () => {
    const { stdout } = await harness(["check", "claude", "--binary", versioned, "--json"], {
      env: { ANTHROPIC_API_KEY: "sk-secret" },
    });
    expect(JSON.parse(stdout.toString())).toMatchObject({
      agent: "claude",
      isInstalled: true,
      version: "9.8.7",
      binary: versioned,
      capabilities: { model: true, maxBudgetUsd: true },
      credentials: { ANTHROPIC_API_KEY: true },
    });
    expect(stdout.toString()).not.toContain("sk-secret");
  });

  it.each([
    ["claude", "Claude Code", '"claude" was not found'],
    ["codex", "Codex", '"codex" was not found'],
    ["opencode", "OpenCode", '"opencode" was not found'],
    ["cursor", "Cursor", '"cursor-agent" or "agent" was not found'],
  ])("%s: says that it is not there, what was looked for and how to get it", async (id, name, words) => {
    const { stdout, exitCode } = await harness(["check", id], nothingInstalled);
    expect(stdout.toString()).toContain(`${name}: cannot be run`);
    expect(stdout.toString()).toContain(words);
    expect(stdout.toString()).toContain("install it with:");
    expect(exitCode).toBe(127);
  });

  it("refuses an agent that nobody knows", async () => {
    const { stderr, exitCode } = await harness(["check", "nonexistent"]);
    expect(stderr).toContain('unknown agent "nonexistent"');
    expect(exitCode).toBe(2);
  });
});

it.each(["--version", "-V"])("%s prints the version and nothing else", async (flag) => {
  const { stdout, exitCode } = await harness([flag]);
  expect(stdout.toString()).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(exitCode).toBe(0);
});
