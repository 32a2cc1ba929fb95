import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fakeProject } from "./fake-agent.js";
import { harness } from "./harness.js";

let project = "";
beforeAll(async () => {
  project = await fakeProject();
});

/** The agent is asked to print what it was given. */
const run = (...args: string[]) => harness(["run", "-a", "fake", "--no-log", ...args], { cwd: project });

async function taskOf(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await run("-q", "-p", "task", ...args);
  expect(stderr).toBe("");
  return JSON.parse(stdout.toString());
}

function file(name: string, value: unknown): string {
  writeFileSync(join(project, name), typeof value === "string" ? value : JSON.stringify(value));
  return name;
}

describe("harness run", () => {
  it("hands effort and tools over, separated by commas or repeated", async () => {
    const task = await taskOf(
      "--effort",
      "high",
      "--allowed-tools",
      "Read,Bash(a,b)",
      "--allowed-tools",
      "Grep",
    );
    expect(task).toMatchObject({ effort: "high", allowedTools: ["Read", "Bash(a,b)", "Grep"] });
  });

  it("reads MCP servers in both shapes, with or without their types", async () => {
    const servers = { docs: { command: "docs", args: ["--stdio"] }, web: { url: "https://example.com/mcp" } };
    const typed = { docs: { type: "stdio", ...servers.docs }, web: { type: "http", ...servers.web } };
    const bare = await taskOf("--mcp-config", file("bare.json", servers));
    const wrapped = await taskOf("--mcp-config", file("wrapped.json", { mcpServers: typed }));
    expect([bare["mcpServers"], wrapped["mcpServers"]]).toEqual([servers, servers]);
  });

  it.each([
    [
      "a file that is missing",
      ["--mcp-config", "gone.json"],
      "--mcp-config gone.json cannot be read: there is no such file",
    ],
    ["no JSON", ["--mcp-config", "no.json"], "--mcp-config no.json: it must hold one JSON object"],
    [
      "a server without a command",
      ["--mcp-config", "empty.json"],
      "--mcp-config empty.json: .mcpServers.docs.command is missing",
    ],
    ["another kind of server", ["--mcp-config", "sse.json"], ".mcpServers.web.type is not known"],
    ["a list as a schema", ["--schema", "list.json"], "--schema list.json: it must hold one JSON object"],
    ["an unknown level", ["--effort", "huge"], 'Fake does not know the effort "huge"; it knows low, high'],
    ["an empty tool", ["--allowed-tools", "Read,,Grep"], "--allowed-tools has an empty name"],
  ])("refuses %s", async (_name, args, message) => {
    file("no.json", "{");
    file("empty.json", { docs: {} });
    file("sse.json", { web: { type: "sse", url: "https://example.com" } });
    file("list.json", []);
    const { stderr, exitCode } = await run("-p", "say hi", ...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  it("prints the value that fits a schema as JSON with --quiet, and fails if none does", async () => {
    const schema = file("schema.json", {
      type: "object",
      required: ["n"],
      properties: { n: { type: "number" } },
    });
    const good = await run("-q", "--schema", schema, "-p", 'say {"n": 1}');
    expect(good.stdout.toString()).toBe('{"n":1}\n');
    const bad = await run("-q", "--schema", schema, "-p", "say {}");
    expect(bad.stdout.toString()).toBe("");
    expect(bad.stderr).toContain("Fake failed (schema)");
    expect(bad.exitCode).toBe(1);
  });

  it("gives an isolated run a fresh home with the content of --home, and removes it", async () => {
    mkdirSync(join(project, "seed"), { recursive: true });
    file("seed/settings.json", "{}");
    const { stdout } = await run("-q", "--home", "seed", "-p", "show FAKE_HOME");
    const home = stdout.toString().trim();
    expect(home).toMatch(/\/home\/\.fake$/);
    expect(existsSync(home)).toBe(false);
    expect((await run("-q", "-p", "show FAKE_HOME")).stdout.toString()).toBe("undefined\n");
  });

  it("shows all of them in a dry run, and in harness check", async () => {
    const servers = file("servers.json", { docs: { command: "docs" } });
    const schema = file("schema.json", {});
    const args = [
      "--isolated",
      "--effort",
      "high",
      "--mcp-config",
      servers,
      "--schema",
      schema,
      "--allowed-tools",
      "Read",
    ];
    const { stdout, stderr } = await run("-p", "x", "--dry-run", ...args);
    expect(stderr).toBe("");
    for (const row of [
      /home +a fresh one/,
      /effort +high/,
      /tools +Read/,
      /MCP servers +docs/,
      /schema +the answer/,
    ])
      expect(stdout.toString()).toMatch(row);
    const claude = await harness(["check", "generic", "--json"], { cwd: project });
    expect(JSON.parse(claude.stdout.toString())).toMatchObject({ canBeIsolated: false });
    expect((await harness(["check", "generic"])).stdout.toString()).toMatch(/isolated +not possible/);
  });
});
