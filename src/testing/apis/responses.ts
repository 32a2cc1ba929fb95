import { field, listOf, stringOf, textOf } from "../json.js";
import type { AdvertisedTool, HistoryItem } from "../model-request.js";
import { type Frame, type Reply, toStretches } from "../reply.js";
import type { Dialect } from "./dialect.js";
import { openAiError } from "./openai-error.js";
import { itemParts, toItem } from "./responses-items.js";

/** OpenAI Responses: `POST /v1/responses`. */
export const responses: Dialect = {
  api: "responses",
  accepts: (path) => path.endsWith("/responses"),
  read: (body) => ({
    model: stringOf(field(body, "model")),
    isStreaming: field(body, "stream") === true,
    tools: [...listOf(field(body, "tools")), ...additionalTools(body)].flatMap((tool) => toTools(tool)),
    history: [
      { from: "system", text: stringOf(field(body, "instructions")) },
      ...inputOf(body).map(toHistoryItem),
    ],
  }),
  frames: toFrames,
  whole: (reply) => finished(reply),
  error: openAiError,
};

function inputOf(body: unknown): readonly unknown[] {
  const input = field(body, "input");
  return typeof input === "string" ? [{ role: "user", content: input }] : listOf(input);
}

/** Codex sends the tools of some models as an item of the input. */
function additionalTools(body: unknown): readonly unknown[] {
  return inputOf(body).flatMap((item) =>
    field(item, "type") === "additional_tools" ? listOf(field(item, "tools")) : [],
  );
}

function toTools(tool: unknown, namespace?: string): AdvertisedTool[] {
  const name = stringOf(field(tool, "name"));
  if (field(tool, "type") === "namespace")
    return listOf(field(tool, "tools")).flatMap((inner) => toTools(inner, name));
  const form = field(tool, "type") === "custom" ? "freeform" : "json";
  return [
    {
      name: name === "" ? stringOf(field(tool, "type")) : name,
      form,
      ...(namespace === undefined ? {} : { namespace }),
    },
  ];
}

function toHistoryItem(item: unknown): HistoryItem {
  const type = stringOf(field(item, "type"));
  const callId = stringOf(field(item, "call_id"));
  if (type.endsWith("_output")) return { from: "tool", callId, text: textOf(field(item, "output")) };
  if (type.endsWith("_call"))
    return { from: "assistant", text: "", callId, tool: stringOf(field(item, "name")) };
  if (type === "reasoning" || type === "item_reference") return { from: "assistant", text: "" };
  // Messages between Codex agents are marked as encrypted, but are not (0.166.0).
  if (type === "agent_message")
    return { from: "user", text: listOf(field(item, "content")).map(messageText).join("") };
  const text = textOf(field(item, "content"));
  const role = field(item, "role");
  if (role === "assistant") return { from: "assistant", text };
  return {
    from: role === "system" || role === "developer" || type === "additional_tools" ? "system" : "user",
    text,
  };
}

function messageText(part: unknown): string {
  return stringOf(field(part, "encrypted_content") ?? field(part, "text"));
}

function* toFrames(reply: Reply): Generator<Frame> {
  let sequence = 0;
  const event = (type: string, fields: object): Frame => {
    sequence += 1;
    return { kind: "data", event: type, data: { type, sequence_number: sequence - 1, ...fields } };
  };
  yield event("response.created", { response: { ...base(reply), status: "in_progress", output: [] } });
  for (const [index, stretch] of toStretches(reply.pieces).entries()) {
    for (const part of itemParts(stretch, reply.id, index))
      yield "kind" in part ? part : event(part.type, part.fields);
  }
  const response = finished(reply);
  yield event(response.status === "completed" ? "response.completed" : "response.incomplete", { response });
}

function finished(reply: Reply): { status: string; [field: string]: unknown } {
  const output = toStretches(reply.pieces).map(({ piece }, index) => toItem(piece, reply.id, index));
  const reason = { length: "max_output_tokens", refusal: "content_filter", end: undefined, calls: undefined }[
    reply.stop
  ];
  return {
    ...base(reply),
    status: reason === undefined ? "completed" : "incomplete",
    ...(reason === undefined ? {} : { incomplete_details: { reason } }),
    output,
    usage: usageOf(reply),
  };
}

function base(reply: Reply): object {
  return {
    id: `resp_${reply.id}`,
    object: "response",
    created_at: 0,
    model: reply.model,
    error: null,
    incomplete_details: null,
  };
}

/** `input_tokens` includes tokens read from and written to a cache. Reasoning is a part of the output. */
function usageOf({ usage }: Reply): object {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  };
}
