import {
  type AnyMessage,
  type ClientContext,
  type CreateElicitationRequest,
  client,
  type RequestPermissionRequest,
  type SessionUpdate,
  type Stream,
} from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import { type AcpServerOptions, createAcpServer } from "../../../src/cli/acp/server.js";
import { problemOf, type WireMessage } from "../../live/acp/schemas.js";
import { fakeAgent, fakeProgram } from "../../live/support/fake-protocol.js";
import { temporaryDirectory } from "../../runs/test-agent.js";

/** An editor made with the official SDK. It notes what it is shown and asked. */
export interface Editor {
  agent: ClientContext;
  updates: { sessionId: string; update: SessionUpdate }[];
  asked: RequestPermissionRequest[];
  forms: CreateElicitationRequest[];
  complaints: string[];
  /** All that the agent has said, of one session. */
  said(sessionId: string): string;
  /** The editor goes away. Resolves when no session is left. */
  leave(): Promise<void>;
}

export interface EditorOptions extends Partial<Omit<AcpServerOptions, "task">> {
  task?: Partial<AcpServerOptions["task"]>;
  /** The option that it chooses, or undefined if it never answers. */
  choose?(request: RequestPermissionRequest): string | undefined;
  fill?(request: CreateElicitationRequest): Record<string, string | string[]>;
}

/** Everything that the server sends is checked with the SDK's own schemas. */
export function openEditor(options: EditorOptions = {}): Editor {
  const { task, choose = () => "allow", fill, ...rest } = options;
  const updates: Editor["updates"] = [];
  const asked: RequestPermissionRequest[] = [];
  const forms: CreateElicitationRequest[] = [];
  const complaints: string[] = [];
  const methods = new Map<string | number, string>();
  let deliver: (message: AnyMessage) => void = () => {};
  const server = createAcpServer({
    agent: fakeAgent,
    models: [{ id: "fake-2", name: "Second" }],
    version: "1.2.3",
    write(line) {
      const message: AnyMessage & WireMessage = JSON.parse(line);
      const problem = problemOf(message, methods.get(message.id ?? ""));
      if (problem !== undefined) throw new Error(`${line}: ${String(problem)}`);
      deliver(message);
      return undefined;
    },
    complain: (sentence) => complaints.push(sentence),
    ...rest,
    task: { binary: fakeProgram, permissions: "ask", sessionsDirectory: temporaryDirectory(), ...task },
  });
  const stream: Stream = {
    readable: new ReadableStream({
      start(controller) {
        deliver = (message) => controller.enqueue(message);
      },
    }),
    writable: new WritableStream({
      write(message: AnyMessage) {
        if ("method" in message && "id" in message && message.id !== null)
          methods.set(message.id, message.method);
        server.received(JSON.stringify(message));
      },
    }),
  };
  const connection = client({ name: "editor" })
    .onNotification("session/update", ({ params }) => void updates.push(params))
    .onRequest("session/request_permission", async ({ params }) => {
      asked.push(params);
      const optionId = choose(params);
      if (optionId === undefined) return new Promise<never>(() => {});
      return { outcome: { outcome: "selected", optionId } };
    })
    .onRequest("elicitation/create", async ({ params }) => {
      forms.push(params);
      return fill === undefined ? { action: "decline" } : { action: "accept", content: fill(params) };
    })
    .connect(stream);
  let hasLeft = false;
  const leave = async (): Promise<void> => {
    if (hasLeft) return;
    hasLeft = true;
    await server.close();
    connection.close();
  };
  onTestFinished(leave);
  return {
    agent: connection.agent,
    updates,
    asked,
    forms,
    complaints,
    leave,
    said: (wanted) =>
      updates
        .flatMap(({ sessionId, update }) =>
          sessionId === wanted &&
          update.sessionUpdate === "agent_message_chunk" &&
          update.content.type === "text"
            ? [update.content.text]
            : [],
        )
        .join(""),
  };
}

/** As an editor begins: the handshake, and a session. Returns its id. */
export async function begin(
  { agent }: Editor,
  { cwd = temporaryDirectory(), hasForms = false, hasNotices = false } = {},
): Promise<string> {
  await agent.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: {
      ...(hasForms && { elicitation: { form: {} } }),
      ...(hasNotices && { session: { notices: {} } }),
    },
  });
  return (await agent.request("session/new", { cwd, mcpServers: [] })).sessionId;
}

export function ask(editor: Editor, sessionId: string, text: string) {
  return editor.agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
}
