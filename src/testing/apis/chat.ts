import { field, listOf, stringOf, textOf } from "../json.js";
import type { AdvertisedTool, HistoryItem } from "../model-request.js";
import { type Frame, halves, type Reply, type ReplyCall, type StopReason, toStretches } from "../reply.js";
import type { Interruption } from "../scenario.js";
import type { Dialect } from "./dialect.js";
import { openAiError } from "./openai-error.js";

/** OpenAI Chat Completions: `POST /v1/chat/completions`. Thinking is sent as `reasoning_content`. */
export const chat: Dialect = {
  api: "chat",
  accepts: (path) => path.endsWith("/chat/completions"),
  read: (body) => ({
    model: stringOf(field(body, "model")),
    isStreaming: field(body, "stream") === true,
    tools: listOf(field(body, "tools")).map(toTool),
    history: listOf(field(body, "messages")).flatMap(toItems),
  }),
  frames: toFrames,
  whole: (reply) => ({
    ...base(reply),
    object: "chat.completion",
    choices: [{ index: 0, message: toMessage(reply), finish_reason: finishReasons[reply.stop] }],
    usage: usageOf(reply),
  }),
  error: openAiError,
};

const finishReasons: Record<StopReason, string> = {
  end: "stop",
  calls: "tool_calls",
  length: "length",
  refusal: "content_filter",
};

function toTool(tool: unknown): AdvertisedTool {
  return { name: stringOf(field(field(tool, "function"), "name")), form: "json" };
}

function toItems(message: unknown): HistoryItem[] {
  const text = textOf(field(message, "content"));
  switch (field(message, "role")) {
    case "system":
    case "developer":
      return [{ from: "system", text }];
    case "tool":
      return [{ from: "tool", callId: stringOf(field(message, "tool_call_id")), text }];
    case "assistant":
      return [{ from: "assistant", text }, ...listOf(field(message, "tool_calls")).map(toCall)];
    default:
      return [{ from: "user", text }];
  }
}

function toCall(toolCall: unknown): HistoryItem {
  const tool = stringOf(field(field(toolCall, "function"), "name"));
  return { from: "assistant", text: "", callId: stringOf(field(toolCall, "id")), tool };
}

function* toFrames(reply: Reply, body: unknown): Generator<Frame> {
  yield chunk(reply, { role: "assistant", content: "" });
  let index = 0;
  for (const { piece, interruptions } of toStretches(reply.pieces)) {
    if (piece.kind === "call") {
      yield* callFrames(reply, piece, index, interruptions);
      index += 1;
      continue;
    }
    const name = piece.kind === "say" ? "content" : "reasoning_content";
    for (const delta of piece.deltas) yield chunk(reply, { [name]: delta });
    yield* interruptions;
  }
  yield chunk(reply, {}, finishReasons[reply.stop]);
  if (field(field(body, "stream_options"), "include_usage") === true) {
    yield { kind: "data", data: { ...base(reply), choices: [], usage: usageOf(reply) } };
  }
  yield { kind: "data", data: "[DONE]" };
}

/** Sends the name first and then the arguments, like the real API. */
function* callFrames(
  reply: Reply,
  piece: ReplyCall,
  index: number,
  interruptions: readonly Interruption[],
): Generator<Frame> {
  const [first, second] = halves(piece.text);
  const open = { index, id: piece.id, type: "function", function: { name: piece.tool, arguments: "" } };
  yield chunk(reply, { tool_calls: [open] });
  yield chunk(reply, { tool_calls: [{ index, function: { arguments: first } }] });
  yield* interruptions;
  yield chunk(reply, { tool_calls: [{ index, function: { arguments: second } }] });
}

function chunk(reply: Reply, delta: object, finish: string | null = null): Frame {
  return { kind: "data", data: { ...base(reply), choices: [{ index: 0, delta, finish_reason: finish }] } };
}

function base(reply: Reply): object {
  return { id: `chatcmpl-${reply.id}`, object: "chat.completion.chunk", created: 0, model: reply.model };
}

function toMessage(reply: Reply): object {
  const say = reply.pieces.flatMap((piece) => (piece.kind === "say" ? piece.deltas : [])).join("");
  const think = reply.pieces.flatMap((piece) => (piece.kind === "think" ? piece.deltas : [])).join("");
  const calls = reply.pieces.flatMap((piece) => (piece.kind === "call" ? [piece] : []));
  return {
    role: "assistant",
    content: say === "" ? null : say,
    ...(think === "" ? {} : { reasoning_content: think }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toToolCall) }),
  };
}

function toToolCall(piece: ReplyCall): object {
  return { id: piece.id, type: "function", function: { name: piece.tool, arguments: piece.text } };
}

/** `prompt_tokens` includes the cached tokens. Reasoning is a part of the completion. */
function usageOf({ usage }: Reply): object {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.cacheWrite === 0 ? {} : { cache_write_tokens: usage.cacheWrite }),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
