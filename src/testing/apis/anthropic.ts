import { field, isRecord, listOf, parseJson, stringOf, textOf } from "../json.js";
import type { AdvertisedTool, HistoryItem } from "../model-request.js";
import {
  type Frame,
  halves,
  isInterruption,
  type Reply,
  type ReplyCall,
  type ReplyText,
  type StopReason,
  toStretches,
} from "../reply.js";
import type { Dialect } from "./dialect.js";

/** Anthropic Messages: `POST /v1/messages`. */
export const anthropic: Dialect = {
  api: "anthropic",
  accepts: (path) => path.endsWith("/messages"),
  read: (body) => ({
    model: stringOf(field(body, "model")),
    isStreaming: field(body, "stream") === true,
    tools: listOf(field(body, "tools")).map(toTool),
    history: [
      { from: "system", text: textOf(field(body, "system")) },
      ...listOf(field(body, "messages")).flatMap(toItems),
    ],
  }),
  frames: toFrames,
  whole: (reply) => ({
    ...message(reply),
    content: reply.pieces.flatMap(toBlock),
    stop_reason: stopReasons[reply.stop],
  }),
  error: (status, text) => ({
    type: "error",
    error: { type: errorTypes[status] ?? "api_error", message: text },
  }),
};

const stopReasons: Record<StopReason, string> = {
  end: "end_turn",
  calls: "tool_use",
  length: "max_tokens",
  refusal: "refusal",
};

const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function toTool(tool: unknown): AdvertisedTool {
  return { name: stringOf(field(tool, "name")), form: "json" };
}

function toItems(message: unknown): HistoryItem[] {
  const content = field(message, "content");
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
  return blocks.map((block) => toItem(field(message, "role") === "assistant", block));
}

function toItem(isAssistant: boolean, block: unknown): HistoryItem {
  if (field(block, "type") === "tool_result") {
    const isError = field(block, "is_error");
    return {
      from: "tool",
      callId: stringOf(field(block, "tool_use_id")),
      text: textOf(field(block, "content")),
      ...(typeof isError === "boolean" ? { isError } : {}),
    };
  }
  if (!isAssistant) return { from: "user", text: textOf(block) };
  if (field(block, "type") !== "tool_use") return { from: "assistant", text: textOf(block) };
  return {
    from: "assistant",
    text: "",
    callId: stringOf(field(block, "id")),
    tool: stringOf(field(block, "name")),
  };
}

function* toFrames(reply: Reply): Generator<Frame> {
  const start = {
    ...message(reply),
    content: [],
    stop_reason: null,
    usage: { ...inputUsageOf(reply), output_tokens: 1 },
  };
  yield event("message_start", { message: start });
  yield event("ping", {});
  for (const [index, { piece, interruptions }] of toStretches(reply.pieces).entries()) {
    const { deltas, last } = deltasOf(piece);
    yield event("content_block_start", { index, content_block: emptyBlock(piece) });
    for (const delta of deltas) yield event("content_block_delta", { index, delta });
    yield* interruptions;
    if (last !== undefined) yield event("content_block_delta", { index, delta: last });
    yield event("content_block_stop", { index });
  }
  yield event("message_delta", {
    delta: { stop_reason: stopReasons[reply.stop], stop_sequence: null },
    usage: usageOf(reply),
  });
  yield event("message_stop", {});
}

function event(type: string, fields: object): Frame {
  return { kind: "data", event: type, data: { type, ...fields } };
}

function message(reply: Reply): object {
  return {
    id: `msg_${reply.id}`,
    type: "message",
    role: "assistant",
    model: reply.model,
    stop_sequence: null,
    usage: usageOf(reply),
  };
}

/** Reasoning is included in the output. */
function usageOf(reply: Reply): object {
  return {
    ...inputUsageOf(reply),
    output_tokens: reply.usage.output,
    output_tokens_details: { thinking_tokens: reply.usage.reasoning },
  };
}

/** This API counts the three classes of input separately. */
function inputUsageOf({ usage }: Reply): object {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
  };
}

function emptyBlock(piece: ReplyText | ReplyCall): object {
  if (piece.kind === "call") return { type: "tool_use", id: piece.id, name: piece.tool, input: {} };
  return piece.kind === "say"
    ? { type: "text", text: "" }
    : { type: "thinking", thinking: "", signature: "" };
}

/** `last` is sent after the interruptions of a block. */
function deltasOf(piece: ReplyText | ReplyCall): { deltas: object[]; last?: object } {
  if (piece.kind === "say") return { deltas: piece.deltas.map((text) => ({ type: "text_delta", text })) };
  if (piece.kind === "think") {
    const deltas = piece.deltas.map((thinking) => ({ type: "thinking_delta", thinking }));
    return { deltas, last: { type: "signature_delta", signature } };
  }
  const [first, second] = halves(piece.text).map((partial_json) => ({
    type: "input_json_delta",
    partial_json,
  }));
  return { deltas: first === undefined ? [] : [first], ...(second === undefined ? {} : { last: second }) };
}

const signature = "c2NyaXB0ZWQ=";

function toBlock(piece: Reply["pieces"][number]): object[] {
  if (isInterruption(piece)) return [];
  if (piece.kind === "say") return [{ type: "text", text: piece.deltas.join("") }];
  if (piece.kind === "think") return [{ type: "thinking", thinking: piece.deltas.join(""), signature }];
  const input = parseJson(piece.text);
  return [{ type: "tool_use", id: piece.id, name: piece.tool, input: isRecord(input) ? input : {} }];
}
