import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { fakeProject } from "./fake-agent.js";
import { commandPath, harness, homeEnvironment, ownEnvironment, temporaryDirectory } from "./harness.js";

let project: string;

beforeAll(async () => {
  project = await fakeProject();
});

/** A client made with the official SDK. */
interface McpClient {
  client: Client;
  pid: number;
  /** What a tool returned. Throws the sentence of a refusal. */
  call(name: string, input?: Record<string, unknown>): Promise<Record<string, unknown>>;
}

async function connect(
  args: readonly string[] = ["--permissions", "full-access"],
  env: Record<string, string> = {},
  command: readonly [string, ...string[]] = [process.execPath, commandPath],
): Promise<McpClient> {
  const own = Object.entries(ownEnvironment()).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  const transport = new StdioClientTransport({
    command: command[0],
    args: [...command.slice(1), "mcp", ...args],
    cwd: project,
    env: { ...Object.fromEntries(own), ...homeEnvironment(), ...env },
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    pid: transport.pid ?? 0,
    async call(name, input = {}) {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: input });
      const [first] = content as { text: string }[];
      if (isError) throw new Error(first?.text);
      expect(JSON.parse(first?.text ?? "")).toEqual(structuredContent);
      return structuredContent as Record<string, unknown>;
    },
  };
}

/** A prompt for the agent `fake` that ends only when this file is there. */
function gate(): { prompt: string; open(): void } {
  const file = join(temporaryDirectory(), "go");
  return { prompt: `say waiting;until ${file};say done`, open: () => writeFileSync(file, "") };
}

describe("harness mcp", () => {
  it("has tools that say what they take, return and change", async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["list_agents", true],
      ["run_agent", false],
      ["run_status", true],
      ["run_result", true],
      ["run_events", true],
      ["cancel_run", false],
      ["list_runs", true],
    ]);
    for (const tool of tools) expect(tool.outputSchema?.type).toBe("object");
    expect(tools[1]?.inputSchema.required).toEqual(["agent", "prompt"]);
  });

  it("runs an agent and returns its answer, what it changed, and its events", async () => {
    const { call } = await connect();
    const status = await call("run_agent", {
      agent: "fake",
      prompt: "write note.txt hi;say All done;cost 0.5",
    });
    expect(status).toMatchObject({
      agent: "fake",
      status: "completed",
      isSuccess: true,
      answer: "All done",
      costUsd: 0.5,
    });
    const { runId } = status;
    expect(await call("run_result", { runId })).toMatchObject({
      runId,
      report: { runId, text: "All done", outcome: { isSuccess: true } },
    });
    const { events, next, hasMore } = await call("run_events", { runId });
    const types = (events as { type: string }[]).map(({ type }) => type);
    expect(types).toEqual(["started", "agent", "result", "exited"]);
    expect({ next, hasMore }).toEqual({ next: 4, hasMore: false });
    expect(await call("run_events", { runId, since: 1, limit: 1 })).toMatchObject({
      events: [{ type: "agent", seq: 1 }],
      next: 2,
      hasMore: true,
    });
    const listed = await harness(["sessions", "list", "--json", "--all"]);
    expect(JSON.parse(listed.stdout.toString())).toContainEqual(expect.objectContaining({ id: runId }));
  });

  it("returns before a long run has ended, and waits for it when asked again", async () => {
    const { call } = await connect();
    const { prompt, open } = gate();
    const begun = await call("run_agent", { agent: "fake", prompt, waitSeconds: 0 });
    expect(begun).toMatchObject({ status: "running", next: expect.stringContaining("run_result") });
    const { runId } = begun;
    open();
    expect(await call("run_result", { runId, waitSeconds: 60 })).toMatchObject({
      status: "completed",
      answer: "done",
    });
    expect(await call("list_runs")).toMatchObject({ runs: [{ runId, status: "completed" }] });
  });

  it("cancels a run", async () => {
    const { call } = await connect();
    const { runId } = await call("run_agent", { agent: "fake", prompt: gate().prompt, waitSeconds: 0 });
    expect(await call("cancel_run", { runId })).toMatchObject({ status: "cancelled", isSuccess: false });
  });

  it("lets a run go on when the client no longer waits for it", async () => {
    const { client, call } = await connect();
    const { prompt, open } = gate();
    const given = new AbortController();
    const waiting = client.callTool(
      { name: "run_agent", arguments: { agent: "fake", prompt, waitSeconds: 600 } },
      { signal: given.signal },
    );
    await expect.poll(async () => ((await call("list_runs"))["runs"] as unknown[]).length).toBe(1);
    given.abort();
    await expect(waiting).rejects.toThrow();
    const [own] = (await call("list_runs"))["runs"] as { runId: string; status: string }[];
    expect(own?.status).toBe("running");
    open();
    expect(await call("run_result", { runId: own?.runId })).toMatchObject({ status: "completed" });
  });

  it("says how a run goes on while the client waits", async () => {
    const { client } = await connect();
    const { prompt, open } = gate();
    const heard: (string | undefined)[] = [];
    await client.callTool(
      { name: "run_agent", arguments: { agent: "fake", prompt, waitSeconds: 600 } },
      {
        onprogress({ message }) {
          heard.push(message);
          open();
        },
      },
    );
    expect(heard).toContain("waiting");
  });

  it("reports a failed run as a result, with what to do next", async () => {
    const { call } = await connect();
    expect(await call("run_agent", { agent: "fake", prompt: "error 401" })).toMatchObject({
      status: "failed",
      isSuccess: false,
      failure: { kind: expect.any(String), message: expect.stringContaining("401") },
    });
    expect(await call("run_agent", { agent: "grok", prompt: "Hello" })).toMatchObject({
      status: "failed",
      failure: { kind: "not_installed" },
    });
  });
});

describe("the limits of harness mcp", () => {
  it("is read-only unless it is started with more, and no wish or configuration changes that", async () => {
    const { call } = await connect([]);
    expect(await call("list_agents")).toMatchObject({ permissions: "read-only", directories: [project] });
    const { answer } = await call("run_agent", { agent: "fake", prompt: "task" });
    expect(JSON.parse(String(answer))).toMatchObject({ permissions: "read-only" });
    await expect(
      call("run_agent", { agent: "fake", prompt: "task", permissions: "full-access" }),
    ).rejects.toThrow("started read-only");
  });

  it("gives a run less than the server has, if that is asked for", async () => {
    const { call } = await connect();
    const { answer } = await call("run_agent", { agent: "fake", prompt: "task", permissions: "read-only" });
    expect(JSON.parse(String(answer))).toMatchObject({ permissions: "read-only" });
  });

  it("does not work outside its directory", async () => {
    const outside = temporaryDirectory();
    mkdirSync(join(outside, "below"));
    symlinkSync(outside, join(project, "link-out"));
    const { call } = await connect();
    const places = ["/", "..", "sub/../..", "link-out", "link-out/below", "\0", "missing", "harness.toml"];
    for (const cwd of places)
      await expect(call("run_agent", { agent: "fake", prompt: "say no", cwd }), cwd).rejects.toThrow(
        /may not work in|is not a directory/,
      );
    expect(await call("list_runs")).toEqual({ runs: [] });
  });

  it("works in the directories that it was started with", async () => {
    const other = temporaryDirectory();
    mkdirSync(join(other, "sub"));
    const { call } = await connect(["--directory", ".", "--directory", other]);
    for (const cwd of [undefined, other, join(other, "sub")])
      expect(await call("run_agent", { agent: "fake", prompt: "say ok", cwd })).toMatchObject({
        isSuccess: true,
        cwd: cwd ?? project,
      });
  });

  it("runs only the agents that it was started with", async () => {
    const { call } = await connect(["--agents", "other,codex"]);
    const { agents } = await call("list_agents");
    expect((agents as { agent: string }[]).map(({ agent }) => agent)).toEqual(["codex", "other"]);
    await expect(call("run_agent", { agent: "fake", prompt: "say no" })).rejects.toThrow("other, codex");
    await expect(call("run_agent", { agent: "nobody", prompt: "say no" })).rejects.toThrow("nobody");
  });

  it("has no more runs at once than it was started with, also when they are asked for together", async () => {
    const { call } = await connect(["--max-runs", "1"]);
    const input = { agent: "fake", prompt: gate().prompt, waitSeconds: 0 };
    const both = await Promise.allSettled([call("run_agent", input), call("run_agent", input)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("starts nothing more when its budget is spent", async () => {
    const { call } = await connect(["--max-budget-usd", "1"]);
    await call("run_agent", { agent: "fake", prompt: "cost 1.5" });
    await expect(call("run_agent", { agent: "fake", prompt: "say no" })).rejects.toThrow("have cost $1.50");
  });

  it("stops a run after the longest time, whatever the client asks for", async () => {
    const { call } = await connect(["--timeout", "1s"]);
    const input = { agent: "fake", prompt: gate().prompt, timeoutSeconds: 900 };
    expect(await call("run_agent", input)).toMatchObject({ status: "timed_out" });
  });

  it("starts no runs in a run of another server, unless it was started so", async () => {
    const { call } = await connect([], { HARNESS_MCP_DEPTH: "1" });
    await expect(call("run_agent", { agent: "fake", prompt: "say no" })).rejects.toThrow("nested");
    const deeper = await connect(["--max-depth", "2"], { HARNESS_MCP_DEPTH: "1" });
    expect(await deeper.call("run_agent", { agent: "fake", prompt: "show HARNESS_MCP_DEPTH" })).toMatchObject(
      {
        answer: "2",
      },
    );
  });

  it.runIf(process.platform === "linux")(
    "notices a run around it that has not passed its variables on",
    async () => {
      // The shell stays, with the variable: it is the agent.
      const script = 'env -u HARNESS_MCP_DEPTH "$@"; true';
      const command = ["sh", "-c", script, "sh", process.execPath, commandPath] as const;
      const { call } = await connect([], { HARNESS_MCP_DEPTH: "1" }, command);
      await expect(call("run_agent", { agent: "fake", prompt: "say no" })).rejects.toThrow("nested");
    },
  );

  it("gives a model no more than it can read, and takes no option of an agent for a model", async () => {
    const { call } = await connect();
    const { runId } = await call("run_agent", { agent: "fake", prompt: `say ${"x".repeat(90_000)}` });
    const { answer, report } = await call("run_result", { runId });
    expect(String(answer).length).toBeLessThan(41_000);
    expect(String((report as { text: string }).text).length).toBeLessThan(41_000);
    const { runs } = await call("list_runs");
    expect(JSON.stringify(runs).length).toBeLessThan(2000);
    const asked = call("run_agent", { agent: "fake", prompt: "say hi", model: "--yolo" });
    await expect(asked).rejects.toThrow("must not begin with a hyphen");
  });

  it("takes nothing else: no variables, no program, no arguments", async () => {
    const { call } = await connect();
    const task = { agent: "fake", prompt: "say hi" };
    const inputs = [
      {},
      { ...task, prompt: "" },
      { ...task, agent: 7 },
      { ...task, env: { PATH: "/tmp" } },
      { ...task, binary: "/bin/sh" },
      { ...task, extraArgs: ["--yolo"] },
      { ...task, waitSeconds: -1 },
    ];
    for (const input of inputs)
      await expect(call("run_agent", input), JSON.stringify(input)).rejects.toThrow("Invalid arguments");
    await expect(call("run_status", { runId: "../../etc" })).rejects.toThrow("has no run");
    await expect(call("nothing")).rejects.toThrow();
    expect(await call("list_runs")).toEqual({ runs: [] });
  });
});

describe("the client of harness mcp goes away", () => {
  it("and its runs end", async () => {
    const { client, call } = await connect();
    const file = join(temporaryDirectory(), "pid");
    const prompt = `write ${file} x;until ${file}-never`;
    const { runId } = await call("run_agent", { agent: "fake", prompt, waitSeconds: 0 });
    await client.close();
    await expect
      .poll(
        async () =>
          JSON.parse((await harness(["sessions", "show", String(runId), "--json"])).stdout.toString()),
        {
          timeout: 30_000,
        },
      )
      .toMatchObject({ outcome: "cancelled" });
  });

  it.each(["--directory missing", "--agents nobody", "--deny read", "--max-runs 0"])(
    "is refused at once with %s",
    async (flags) => {
      const { exitCode, stdout, stderr } = await harness(["mcp", ...flags.split(" ")], { cwd: project });
      expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 2, stdout: "" });
      expect(stderr).toMatch(/directory|nobody|allow nothing|above 0/);
    },
  );
});
