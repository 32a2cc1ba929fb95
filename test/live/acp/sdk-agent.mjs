/*
 * An agent made with the official SDK, for tests of the client over real pipes. The prompt says what it does: `say X`, `pieces X Y`,
 * `ask X` (permission for a command), `form`, `wait` (until it is cancelled), `files` (a file of the client), `fail X`.
 */
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const sessions = new Map();
let cancel = () => {};

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "every-time", name: "Every time", kind: "allow_always" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

const commands = {
  say: (words, tools) => tools.say(words.join(" ")),
  async pieces(words, tools) {
    for (const word of words) await tools.say(word);
  },
  async ask(words, tools) {
    const toolCallId = `call-${words[0]}`;
    const toolCall = {
      toolCallId,
      title: words.join(" "),
      kind: "execute",
      rawInput: { command: words.join(" ") },
    };
    await tools.update({ sessionUpdate: "tool_call", status: "pending", ...toolCall });
    const { outcome } = await tools.client.request("session/request_permission", {
      sessionId: tools.sessionId,
      toolCall,
      options,
    });
    if (outcome.outcome === "cancelled") return "cancelled";
    const status = outcome.optionId === "no" ? "failed" : "completed";
    await tools.update({
      sessionUpdate: "tool_call_update",
      toolCallId,
      status,
      rawOutput: { exit_code: 0 },
    });
    await tools.say(`answered with ${outcome.optionId}`);
  },
  async form(_words, tools) {
    const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const answer = await tools.client.request("elicitation/create", {
      mode: "form",
      sessionId: tools.sessionId,
      message: "Your name?",
      requestedSchema,
    });
    await tools.say(`${answer.action} ${JSON.stringify(answer.content ?? null)}`);
  },
  wait: () =>
    new Promise((resolve) => {
      cancel = () => resolve("cancelled");
    }),
  async files(_words, tools) {
    const refused = await tools.client
      .request("fs/read_text_file", { sessionId: tools.sessionId, path: "/etc/hostname" })
      .then(
        () => "allowed",
        (error) => `code ${error.code}`,
      );
    await tools.say(refused);
  },
  fail: (words) => {
    throw new RequestError(-32603, "Internal error", { details: words.join(" ") });
  },
};

agent({ name: "sdk-agent" })
  .onRequest("initialize", () => ({
    protocolVersion: 1,
    agentInfo: { name: "sdk-agent", version: "9.8.7" },
    agentCapabilities: { loadSession: true },
    authMethods: [],
  }))
  .onRequest("session/new", ({ params }) => {
    const sessionId = `session-${sessions.size + 1}`;
    sessions.set(sessionId, params.cwd);
    return { sessionId };
  })
  .onRequest("session/set_mode", () => ({}))
  .onRequest("session/load", async ({ params, client }) => {
    const content = { type: "text", text: "An old answer." };
    await client.notify("session/update", {
      sessionId: params.sessionId,
      update: { sessionUpdate: "agent_message_chunk", content },
    });
    return {};
  })
  .onRequest("session/prompt", async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const update = (content) => client.notify("session/update", { sessionId, update: content });
    const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    const [name, ...words] = prompt
      .map((block) => block.text ?? "")
      .join("")
      .split(" ");
    const stopReason = (await commands[name](words, { sessionId, client, update, say })) ?? "end_turn";
    return { stopReason, usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } };
  })
  .onNotification("session/cancel", () => cancel())
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
