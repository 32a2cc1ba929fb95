import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { HttpAgent } from "@ag-ui/client";
import { DefaultChatTransport } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import { harness, homeEnvironment, programThatReplays, temporaryDirectory } from "../cli/harness.js";
import { replayProgram } from "../live/support/drive.js";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const transcripts = fileURLToPath(new URL("../fixtures/live/", import.meta.url));

/** A home with programs that print what real agents printed. */
function stage(programs: Readonly<Record<string, string>>) {
  const home = temporaryDirectory();
  const bin = join(home, "bin");
  mkdirSync(bin);
  for (const [name, program] of Object.entries(programs)) symlinkSync(program, join(bin, name));
  return { cwd: home, env: { PATH: `${bin}${delimiter}${process.env["PATH"]}`, HOME: home } };
}

const claude = () => programThatReplays("claude", "2.1.325-text");

/** Starts a server of an example. Resolves with the first line that it prints. */
async function serve(name: string, options: { cwd: string; env: Record<string, string> }): Promise<string> {
  const child = spawn(process.execPath, [join(examples, name), "claude"], options);
  onTestFinished(() => void child.kill());
  let said = "";
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("\n")) resolve(said.trim());
    });
    child.once("exit", () => reject(new Error(`it ended: ${said}`)));
  });
}

describe("examples", { timeout: 60_000 }, () => {
  it("are short, and each has a line in the list", () => {
    const list = readFileSync(join(examples, "README.md"), "utf8");
    for (const folder of readdirSync(examples, { withFileTypes: true })) {
      if (!folder.isDirectory()) continue;
      expect(list).toContain(`[\`${folder.name}\`]`);
      for (const file of readdirSync(join(examples, folder.name))) {
        if (!/\.(?:mjs|html)$/.test(file)) continue;
        const lines = readFileSync(join(examples, folder.name, file), "utf8")
          .trimEnd()
          .split("\n");
        expect(lines.length, file).toBeLessThanOrEqual(80);
      }
    }
  });

  it("bench: two agents are compared", async () => {
    const options = stage({ claude: claude(), codex: programThatReplays("codex", "0.166.0-text") });
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(examples, "bench/bench.mjs")],
      options,
    );
    expect(stdout).toContain("greeting");
    // These programs change nothing: the typo stays, and that is right for the other task.
    for (const agent of ["claude", "codex"]) {
      expect(stdout).toContain(agent);
      expect(stderr.match(new RegExp(`^explain with ${agent}: pass`, "gm"))).toHaveLength(2);
      expect(stderr.match(new RegExp(`^typo with ${agent}: fail`, "gm"))).toHaveLength(2);
    }
  });

  it("sse-server: a prompt gives events, and only with the token", async () => {
    const [url = "", token = ""] = (await serve("sse-server/server.mjs", stage({ claude: claude() }))).split(
      " ",
    );
    expect((await fetch(url, { method: "POST", body: "Hi" })).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(url, { headers })).status).toBe(404);
    const events = await (await fetch(url, { method: "POST", headers, body: "Hi" })).text();
    expect(events).toMatch(/^event: started\ndata: \{"kind":"started"/);
    expect(events).toContain("event: exited\n");
    expect((await fetch(url, { method: "POST", headers, body: " " })).status).toBe(400);
  });

  it("chat-page: a prompt is answered, a request is allowed, and only with the token", async () => {
    const options = stage({ claude: replayProgram("pipe") });
    const transcript = join(transcripts, "stream-json-claude-2.1.325/permission-allow.jsonl");
    const address = await serve("chat-page/server.mjs", {
      ...options,
      env: { ...options.env, REPLAY_TRANSCRIPT: transcript },
    });
    const { origin, hash } = new URL(address);
    expect(await (await fetch(origin)).text()).toContain("<title>Chat</title>");
    expect((await fetch(`${origin}/events`)).status).toBe(401);
    const headers = { authorization: `Bearer ${hash.slice(1)}` };
    const post = (action: string, body: object) =>
      fetch(`${origin}/${action}`, { method: "POST", headers, body: JSON.stringify(body) });
    const { body } = await fetch(`${origin}/events`, { headers });
    expect((await post("prompt", { text: "Make a file" })).status).toBe(204);
    let seen = "";
    for await (const piece of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      seen += piece;
      const requestId = /"type":"request",.*?"requestId":"([^"]+)"/.exec(seen)?.[1];
      if (requestId !== undefined && !seen.includes('"turn_end"') && !seen.includes('"request_end"'))
        await post("answer", { requestId, allow: true });
      if (seen.includes('"type":"turn_end"')) break;
    }
    expect(seen).toContain('"outcome":"allowed"');
    expect((await post("toString", {})).status).toBe(404);
  });

  it("chat-route: the clients of the AI SDK and of AG-UI are answered, and only with the token", async () => {
    const [url = "", token = ""] = (await serve("chat-route/server.mjs", stage({ claude: claude() }))).split(
      " ",
    );
    expect((await fetch(`${url}/chat`, { method: "POST", body: "{}" })).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    const bad = await fetch(`${url}/chat`, { method: "POST", headers, body: '{"messages":[]}' });
    expect([bad.status, await bad.text()]).toEqual([400, expect.stringContaining("prompt")]);

    const stream = await new DefaultChatTransport({ api: `${url}/chat`, headers }).sendMessages({
      trigger: "submit-message",
      chatId: "chat",
      messageId: undefined,
      messages: [{ id: "u", role: "user", parts: [{ type: "text", text: "Hi" }] }],
      abortSignal: undefined,
    });
    const types: string[] = [];
    for await (const { type } of stream as unknown as AsyncIterable<{ type: string }>) types.push(type);
    expect([types[0], types.at(-1)]).toEqual(["start", "finish"]);
    expect(types).toContain("text-delta");

    const agent = new HttpAgent({ url: `${url}/ag-ui`, headers });
    agent.addMessage({ id: "u", role: "user", content: "Hi" });
    const { newMessages } = await agent.runAgent();
    expect(newMessages.at(-1)).toMatchObject({ role: "assistant", content: expect.stringMatching(/\S/) });
  });

  it("ci: a change is reviewed, and the answer decides", async () => {
    const options = stage({ claude: claude() });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], options);
    git("init", "-q");
    for (const content of ["one", "two"]) {
      writeFileSync(join(options.cwd, "file.txt"), content);
      git("add", "file.txt");
      git("commit", "-qm", content);
    }
    const summary = join(options.cwd, "summary.md");
    const run = await promisify(execFile)(process.execPath, [join(examples, "ci/review.mjs")], {
      ...options,
      env: { ...options.env, GITHUB_STEP_SUMMARY: summary, ANTHROPIC_API_KEY: "sk-test" },
    }).catch((failed: { code: number }) => failed);
    expect(readFileSync(summary, "utf8")).toMatch(/^## Review by claude\n\n\S/);
    // The recorded answer begins with neither word, so the job fails.
    expect(run).toMatchObject({ code: 1 });
  });

  it("dashboard: recorded runs are counted, and their text cannot be markup", async () => {
    await harness(["run", "-a", "claude", "--binary", claude(), "-p", "<b>bold</b>"]);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(examples, "dashboard/dashboard.mjs")],
      {
        env: { ...process.env, ...homeEnvironment() },
      },
    );
    expect(stdout).toContain("<h1>1 runs in 30 days</h1>");
    expect(stdout).toMatch(/<td>claude<\/td><td>1<\/td><td>100%<\/td>/);
    expect(stdout).toContain("&#60;b&#62;bold");
  });
});
