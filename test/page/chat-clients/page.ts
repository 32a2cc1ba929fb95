import { HttpAgent } from "@ag-ui/client";
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import type { UiMessageDataParts, UiMessageMetadata } from "../../../src/outputs/ui-message/schema.js";

/*
 * A page as somebody else would write it: the AI SDK's transport and AG-UI's client, each with one list. Every entry is a part that the
 * client has made of the stream.
 */

type HarnessMessage = UIMessage<UiMessageMetadata, UiMessageDataParts>;

/** The little of the DOM that the page needs: the tests are compiled without its types. */
interface List {
  replaceChildren(...children: unknown[]): void;
}
declare const document: {
  getElementById(id: string): List;
  createElement(name: string): { textContent: string; className: string };
};

function show(list: string, entries: readonly (readonly [kind: string, text: string])[]): void {
  document
    .getElementById(list)
    .replaceChildren(
      ...entries.map(([kind, text]) =>
        Object.assign(document.createElement("li"), { className: kind, textContent: text }),
      ),
    );
}

async function chat(): Promise<void> {
  const transport = new DefaultChatTransport<HarnessMessage>({ api: "/chat" });
  const stream = await transport.sendMessages({
    trigger: "submit-message",
    chatId: "chat",
    messageId: undefined,
    messages: [{ id: "u", role: "user", parts: [{ type: "text", text: "Fix the total" }] }],
    abortSignal: undefined,
  });
  for await (const { parts, metadata } of readUIMessageStream<HarnessMessage>({ stream })) {
    const entries = parts.flatMap((part): [string, string][] => {
      if (part.type === "text") return [[`text ${part.state}`, part.text]];
      if (part.type === "dynamic-tool") return [[`call ${part.state}`, part.title ?? part.toolName]];
      if (part.type === "data-harness-write") return [["write", part.data.path]];
      if (part.type === "data-harness-message") return [["subagent", part.data.text]];
      return [];
    });
    const { outcome, usage } = metadata ?? {};
    if (outcome !== undefined) entries.push(["end", `${outcome.reason}, ${usage?.totalTokens} tokens`]);
    show("ai-sdk", entries);
  }
}

async function agUi(): Promise<void> {
  const agent = new HttpAgent({ url: "/ag-ui", threadId: "thread" });
  const entries = () =>
    agent.messages.flatMap((message): [string, string][] => {
      const whose = message.subagentRunId === undefined ? "" : "subagent ";
      if (message.role === "activity") return [["activity", message.activityType]];
      if (message.role !== "assistant") return [];
      const calls = (message.toolCalls ?? []).map((call): [string, string] => [
        `${whose}call`,
        call.function.name,
      ]);
      return message.content ? [[`${whose}text`, message.content], ...calls] : calls;
    });
  let end = "";
  await agent.runAgent(undefined, {
    onMessagesChanged: () => show("ag-ui", entries()),
    onRunFinishedEvent: ({ event }) => {
      end = `${event.outcome?.type}, ${event.usage?.[0]?.totalTokens} tokens`;
    },
  });
  show("ag-ui", [...entries(), ["end", end]]);
}

void chat();
void agUi();
