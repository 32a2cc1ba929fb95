import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codex } from "../../src/agents/codex/definition.js";
import type { McpServer } from "../../src/agents/definition.js";
import { HarnessError } from "../../src/errors.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

const base = ["exec", "--json", "--skip-git-repo-check"];
const everything = "--dangerously-bypass-approvals-and-sandbox";
const thread = "01a1e06a-845f-7592-8bd7-2b4a52e7dd59";

describe("launching Codex", () => {
  it.each([
    "Fix the failing test",
    "-",
    "--help",
    "resume",
    "review",
    "line one\nline two",
    "你好 🙂",
    longPrompt,
  ])("reads the prompt from standard input, whatever it is (%#)", (prompt) => {
    expect(codex.launch(launchTask({ prompt }))).toEqual({ args: [...base, everything, "-"], stdin: prompt });
  });

  it("passes every option on", () => {
    const { args } = codex.launch(
      launchTask({
        model: "gpt-5.5",
        permissions: "read-only",
        appendSystemPrompt: 'say "hi"\nagain',
        extraArgs: ["--disable", "unbounded_connection_retries"],
      }),
    );
    expect(args).toEqual([
      ...base,
      ...["--model", "gpt-5.5"],
      ...["--sandbox", "read-only"],
      ...["-c", 'developer_instructions="say \\"hi\\"\\nagain"'],
      ...["--disable", "unbounded_connection_retries"],
      "-",
    ]);
  });

  it.each([
    ["CODEX_API_KEY", "sk-1"],
    ["HTTPS_PROXY", "http://me:password@proxy:8080"],
  ])("refuses to show the secret of an MCP server in %s", (variable, value) => {
    const task = launchTask({ mcpServers: { demo: { command: "x", env: { [variable]: value } } } });
    expect(() => codex.launch(task)).toThrow(`Codex cannot give ${variable} to the server "demo" without`);
    const open = launchTask({ mcpServers: { demo: { command: "x", env: { HTTPS_PROXY: "http://p:1" } } } });
    expect(codex.launch(open).args.join(" ")).toContain("http://p:1");
  });

  it("names variables and headers of MCP servers, and passes their values in the environment", () => {
    const { args, env } = codex.launch(
      launchTask({
        mcpServers: {
          demo: { command: "node", args: ["server.mjs"], env: { API_KEY: "secret-1", PATH: "/bin" } },
          far: { url: "https://example.com/mcp", headers: { Authorization: "secret-2" } },
          plain: { command: "serve" },
        },
      }),
    );
    expect(args).toEqual([
      ...base,
      everything,
      "-c",
      'mcp_servers.demo={ command = "node", args = ["server.mjs"], env = { "PATH" = "/bin" }, env_vars = ["API_KEY"] }',
      "-c",
      'mcp_servers.far={ url = "https://example.com/mcp", env_http_headers = { "Authorization" = "MCP_HEADER_2" } }',
      "-c",
      'mcp_servers.plain={ command = "serve", args = [] }',
      "-",
    ]);
    expect(env).toEqual({ API_KEY: "secret-1", MCP_HEADER_2: "secret-2" });
  });

  it("refuses MCP servers that it could not tell apart", () => {
    const server = (value: string) => ({ command: "serve", env: { API_KEY: value } });
    const launch = (mcpServers: Record<string, McpServer>) => () => codex.launch(launchTask({ mcpServers }));
    expect(launch({ a: server("1"), b: server("1") })).not.toThrow();
    expect(launch({ a: server("1"), b: server("2") })).toThrow(/Codex cannot give API_KEY of the server "b"/);
    expect(launch({ "a.b": server("1") })).toThrow(/does not take "a\.b" as the name of a server/);
  });

  it("passes the effort, and the schema as a file", () => {
    const schema = { type: "object" };
    expect(codex.launch(launchTask({ effort: "high", schema }))).toEqual({
      args: [
        ...[...base, everything],
        ...["-c", 'model_reasoning_effort="high"', "--output-schema", "/run/schema.json", "-"],
      ],
      stdin: "Fix the failing test",
      files: { "schema.json": '{"type":"object"}' },
    });
  });

  it("resumes a thread, with the options that the subcommand does not know before it", () => {
    const { args, stdin } = codex.launch(
      launchTask({ prompt: "--last", resume: thread, permissions: "read-only" }),
    );
    expect(args).toEqual([...base, "--sandbox", "read-only", "resume", "--", thread, "-"]);
    expect(stdin).toBe("--last");
  });

  it.each(["the fruit talk", "--last", "", "01a1e06a"])(
    "refuses to resume %j, for which Codex would begin a new thread",
    (resume) => {
      const launch = () => codex.launch(launchTask({ resume }));
      expect(launch).toThrow(HarnessError);
      expect(launch).toThrow(/is not a valid thread id of Codex/);
    },
  );

  it("refuses an addition to the system prompt of a thread, which Codex would ignore", () => {
    const launch = () => codex.launch(launchTask({ resume: thread, appendSystemPrompt: "Be kind" }));
    expect(launch).toThrow(/ignores an addition to the system prompt/);
  });

  it("writes any addition to the system prompt as a TOML string of one line", () => {
    const anything = fc.string({
      unit: fc.constantFrom('"', "\\", "\n", "\t", "\u007f", "\u0000", "\ud800", "é", "🙂", "x"),
    });
    fc.assert(
      fc.property(anything, (appendSystemPrompt) => {
        const { args } = codex.launch(launchTask({ appendSystemPrompt }));
        const value = args.at(args.indexOf("-c") + 1)?.replace(/^developer_instructions=/, "") ?? "";
        expect(value).toMatch(/^"(?:[^"\\\n\r]|\\["\\bfnrt]|\\u[0-9a-f]{4})*"$/);
        expect(value).not.toMatch(/\\ud[89a-f]/);
        expect(JSON.parse(value)).toBe(appendSystemPrompt.replaceAll("\ud800", "\ufffd"));
      }),
    );
  });
});
