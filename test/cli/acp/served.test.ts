import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { client, ndJsonStream } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { fakeAgent } from "../../live/support/fake-protocol.js";
import { isAlive } from "../../process/alive.js";
import { temporaryDirectory } from "../../runs/test-agent.js";
import { commandPath, harness, homeEnvironment } from "../harness.js";
import { ask, begin, openEditor } from "./editor.js";

/** What the agent answered in each turn, by the only recording. */
async function textsOf(directory: string): Promise<(string | undefined)[]> {
  const { events } = await recordings.read("last", { directory, agent: fakeAgent });
  return events.flatMap((event) => (event.type === "turn_end" ? [event.text] : []));
}

describe("an editor", () => {
  it("learns what the agent can do", async () => {
    const { agent } = openEditor();
    const answer = await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    expect(answer).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "harness-fake", title: "Fake Agent (harness)", version: "1.2.3" },
      agentCapabilities: { loadSession: true, promptCapabilities: { image: false, embeddedContext: true } },
    });
  });

  it("has several sessions at once, each with its turns", async () => {
    const editor = openEditor();
    const one = await begin(editor);
    const { sessionId: other } = await editor.agent.request("session/new", {
      cwd: temporaryDirectory(),
      mcpServers: [],
    });
    const answers = await Promise.all([ask(editor, one, "say one"), ask(editor, other, "say two")]);
    expect(answers.map(({ stopReason }) => stopReason)).toEqual(["end_turn", "end_turn"]);
    expect(answers[0]?._meta).toMatchObject({ "harness-stream": { usage: { inputTokens: 10 } } });
    expect(await ask(editor, one, "say again")).toMatchObject({ stopReason: "end_turn" });
    expect(editor.said(one)).toBe("oneagain");
    expect(editor.said(other)).toBe("two");
  });

  it("is sent what the agent does by itself", async () => {
    const editor = openEditor();
    const sessionId = await begin(editor);
    await ask(editor, sessionId, "own");
    await expect.poll(() => editor.said(sessionId)).toBe("by myself");
  });

  it("sends files along with its prompt: links as paths, embedded ones whole", async () => {
    const editor = openEditor();
    const sessionId = await begin(editor);
    await editor.agent.request("session/prompt", {
      sessionId,
      prompt: [
        { type: "text", text: "say look at" },
        { type: "resource_link", uri: "file:///a/b%20c.ts#L3", name: "b c.ts" },
        { type: "resource", resource: { uri: "file:///d.txt", text: "four" } },
      ],
    });
    expect(editor.said(sessionId)).toBe('look at /a/b c.ts#L3 \n\n<file path="/d.txt">\nfour\n</file>\n\n');
  });
});

describe("permission", () => {
  it.each([
    ["allow", "ran rm file"],
    ["deny", "denied: "],
  ])("is asked of the editor: %s", async (optionId, text) => {
    const sessionsDirectory = temporaryDirectory();
    const editor = openEditor({ choose: () => optionId, task: { sessionsDirectory } });
    const sessionId = await begin(editor);
    await ask(editor, sessionId, "ask rm file");
    expect(editor.asked).toMatchObject([
      {
        sessionId,
        toolCall: { title: "rm file", kind: "execute", rawInput: { command: "rm file" }, status: "pending" },
        options: [
          { optionId: "allow", kind: "allow_once" },
          { optionId: "deny", kind: "reject_once" },
        ],
      },
    ]);
    await editor.leave();
    expect(await textsOf(sessionsDirectory)).toEqual([text]);
  });

  it("is not asked if rules decide", async () => {
    const sessionsDirectory = temporaryDirectory();
    const permissions = { allow: ["command: ls"], deny: ["command: rm *"] };
    const editor = openEditor({ task: { permissions, sessionsDirectory } });
    const sessionId = await begin(editor);
    await ask(editor, sessionId, "ask ls");
    await ask(editor, sessionId, "ask rm file");
    expect(editor.asked).toEqual([]);
    await editor.leave();
    expect(await textsOf(sessionsDirectory)).toEqual(["ran ls", expect.stringMatching(/^denied: .*rm/)]);
  });

  it("that the editor never gives is withdrawn with the turn", async () => {
    const editor = openEditor({ choose: () => undefined });
    const sessionId = await begin(editor);
    const answer = ask(editor, sessionId, "ask rm file");
    await expect.poll(() => editor.asked.length).toBe(1);
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await answer).toMatchObject({ stopReason: "cancelled" });
    expect(await ask(editor, sessionId, "say after")).toMatchObject({ stopReason: "end_turn" });
  });
});

describe("a question", () => {
  const chosen = (editor: ReturnType<typeof openEditor>) =>
    editor.asked[0]?.options.map(({ name }) => name) ?? editor.forms[0];

  it("is a form where the editor has forms", async () => {
    const sessionsDirectory = temporaryDirectory();
    const editor = openEditor({ fill: () => ({ q: "Blue" }), task: { sessionsDirectory } });
    const sessionId = await begin(editor, { hasForms: true });
    await ask(editor, sessionId, "question");
    expect(chosen(editor)).toMatchObject({
      mode: "form",
      message: "Which colour?",
      requestedSchema: { properties: { q: { type: "string", enum: ["Red", "Blue"] } } },
    });
    await editor.leave();
    expect(await textsOf(sessionsDirectory)).toEqual(["chose Blue"]);
  });

  it("is a choice of its options where it has none", async () => {
    const sessionsDirectory = temporaryDirectory();
    const editor = openEditor({ choose: () => "1", task: { sessionsDirectory } });
    const sessionId = await begin(editor);
    await ask(editor, sessionId, "question");
    expect(chosen(editor)).toEqual(["Red", "Blue", "No answer"]);
    expect(editor.asked[0]?.toolCall.title).toBe("Which colour?");
    await editor.leave();
    expect(await textsOf(sessionsDirectory)).toEqual(["chose Blue"]);
  });
});

describe("the end of a turn", () => {
  it("is cancelled if the editor cancels it, and nothing of it is left", async () => {
    const editor = openEditor();
    const sessionId = await begin(editor);
    const answer = ask(editor, sessionId, "sleep");
    await expect.poll(() => editor.said(sessionId)).toContain("running");
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await answer).toMatchObject({ stopReason: "cancelled" });
    await expect.poll(() => isAlive(Number(editor.said(sessionId).split(" ")[1]))).toBe(false);
  });

  it("is an error with the words of the failure, and with what to do next", async () => {
    const editor = openEditor();
    const sessionId = await begin(editor);
    await expect(ask(editor, sessionId, "die")).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining("it broke"),
      data: { kind: "crash" },
    });
    // The session is over, and says why.
    await expect(ask(editor, sessionId, "say more")).rejects.toMatchObject({ data: { kind: "crash" } });
  });

  it("says how to install an agent that is not installed", async () => {
    const editor = openEditor({ task: { binary: undefined } });
    const sessionId = await begin(editor);
    await expect(ask(editor, sessionId, "say it")).rejects.toMatchObject({
      message: expect.stringContaining("npm install -g test-agent"),
      data: { kind: "not_installed" },
    });
  });

  it("asks to sign in if the agent could not", async () => {
    const editor = openEditor({ task: { env: { FAKE_REFUSES: "1" } } });
    const sessionId = await begin(editor);
    await expect(ask(editor, sessionId, "say it")).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("Invalid API key"),
    });
  });
});

describe("sessions", () => {
  it("are listed, loaded with what was said, resumed without it, and closed", async () => {
    const sessionsDirectory = temporaryDirectory();
    const cwd = temporaryDirectory();
    const first = openEditor({ task: { sessionsDirectory } });
    const sessionId = await begin(first, { cwd });
    await ask(first, sessionId, "say one");
    await first.leave();

    const second = openEditor({ task: { sessionsDirectory } });
    await begin(second, { cwd: temporaryDirectory() });
    const { sessions } = await second.agent.request("session/list", { cwd });
    expect(sessions).toMatchObject([{ sessionId, cwd, title: "say one" }]);
    await second.agent.request("session/load", { sessionId, cwd, mcpServers: [] });
    const shown = second.updates.filter((one) => one.sessionId === sessionId).map(({ update }) => update);
    expect(shown).toMatchObject([
      { sessionUpdate: "user_message_chunk", content: { text: "say one" } },
      { sessionUpdate: "agent_message_chunk", content: { text: "one" } },
    ]);
    await ask(second, sessionId, "say two");
    await second.agent.request("session/close", { sessionId });
    await expect(ask(second, sessionId, "say three")).rejects.toMatchObject({ code: -32002 });

    const third = openEditor({ task: { sessionsDirectory } });
    await begin(third);
    await third.agent.request("session/load", { sessionId, cwd, mcpServers: [] });
    expect(third.said(sessionId)).toBe("onetwo");
    const fourth = openEditor({ task: { sessionsDirectory } });
    await begin(fourth);
    await fourth.agent.request("session/resume", { sessionId, cwd });
    expect(fourth.said(sessionId)).toBe("");
    expect(await ask(fourth, sessionId, "say four")).toMatchObject({ stopReason: "end_turn" });
  });

  it("have the agent's models to choose from, and the editor sees which one is in use", async () => {
    const editor = openEditor();
    await editor.agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId, configOptions } = await editor.agent.request("session/new", {
      cwd: temporaryDirectory(),
      mcpServers: [],
    });
    expect(configOptions).toMatchObject([{ id: "model", type: "select", currentValue: "default" }]);
    await expect
      .poll(() => editor.updates.map(({ update }) => update))
      .toMatchObject([
        { sessionUpdate: "config_option_update", configOptions: [{ currentValue: "fake-1" }] },
      ]);
    const option = { sessionId, configId: "model" };
    const changed = await editor.agent.request("session/set_config_option", { ...option, value: "fake-2" });
    expect(changed.configOptions).toMatchObject([{ currentValue: "fake-2" }]);
    await expect(
      editor.agent.request("session/set_config_option", { ...option, value: "default" }),
    ).rejects.toMatchObject({ code: -32602 });
  });

  it("get the editor's MCP servers only if the agent takes them", async () => {
    const editor = openEditor();
    await editor.agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const server = { name: "docs", command: "docs-server", args: [], env: [] };
    await editor.agent.request("session/new", { cwd: temporaryDirectory(), mcpServers: [server] });
    expect(editor.complaints).toEqual([
      "Fake Agent cannot be given MCP servers in a session; left out: docs",
    ]);
  });
});

describe("bad requests", () => {
  it.each([
    ["session/new", { cwd: "relative", mcpServers: [] }, -32602, "must be an absolute path"],
    ["session/prompt", { sessionId: "none", prompt: [] }, -32002, 'there is no session "none"'],
    ["session/load", { sessionId: "20260101-000000-abcdef", cwd: "x", mcpServers: [] }, -32602, "absolute"],
    ["authenticate", { methodId: "x" }, -32601, "does not know the method authenticate"],
    ["_nobody/knows", {}, -32601, "does not know"],
  ])("%s with %j", async (method, params, code, words) => {
    const { agent } = openEditor();
    await expect(agent.request(method, params)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
  });

  it("a picture in a prompt is refused, and so is an empty one", async () => {
    const editor = openEditor();
    const sessionId = await begin(editor);
    const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };
    await expect(
      editor.agent.request("session/prompt", { sessionId, prompt: [image] }),
    ).rejects.toMatchObject({ message: expect.stringContaining("send text") });
    await expect(ask(editor, sessionId, " ")).rejects.toMatchObject({
      message: expect.stringContaining("the prompt has no text"),
    });
  });
});

describe("harness acp", () => {
  const sdkAgent = fileURLToPath(new URL("../../live/acp/sdk-agent.mjs", import.meta.url));

  it("serves over real pipes, prints nothing but the protocol, and ends with its editor", async () => {
    const child = spawn(
      process.execPath,
      [commandPath, "acp", "--agent", "acp", "--no-log", "--", process.execPath, sdkAgent],
      { env: { ...process.env, ...homeEnvironment() }, stdio: ["pipe", "pipe", "inherit"] },
    );
    const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
    const said: string[] = [];
    const connection = client({ name: "editor" })
      .onNotification("session/update", ({ params: { update } }) => {
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          said.push(update.content.text);
      })
      .onRequest("session/request_permission", () => ({
        outcome: { outcome: "selected", optionId: "allow_always" },
      }))
      .connect(
        ndJsonStream(
          Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
          Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
        ),
      );
    const { agent } = connection;
    await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await agent.request("session/new", { cwd: temporaryDirectory(), mcpServers: [] });
    const text = "ask rm file";
    const answer = await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    expect(answer.stopReason).toBe("end_turn");
    expect(said.join("")).toBe("answered with every-time");
    child.stdin.end();
    expect(await exited).toBe(0);
  });

  it.each([
    [["--agent", "generic"], "Generic program cannot be served"],
    [["--agent", "cursor"], "Cursor cannot ask for permission; add --permissions full-access"],
    [[], "no agent was named"],
    [["codex"], "unexpected argument 'codex': the agent is named with --agent"],
  ])("%j is refused before an editor meets it", async (args, words) => {
    const { stdout, stderr, exitCode } = await harness(["acp", ...args]);
    expect(stderr).toContain(words);
    expect(stdout.toString()).toBe("");
    expect(exitCode).toBe(2);
    expect(existsSync(join(homeEnvironment().XDG_DATA_HOME, "harness"))).toBe(false);
  });
});
