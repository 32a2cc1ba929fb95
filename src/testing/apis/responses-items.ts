import type { ReplyCall, ReplyText } from "../reply.js";

/** A finished output item of the Responses API. */
export function toItem(piece: ReplyText | ReplyCall, replyId: string, index: number): object {
  const id = itemId(piece, replyId, index);
  if (piece.kind === "say")
    return { ...message(id), status: "completed", content: [textPart(piece.deltas.join(""))] };
  if (piece.kind === "think") {
    const summary = [{ type: "summary_text", text: piece.deltas.join("") }];
    return { id, type: "reasoning", summary, encrypted_content: "c2NyaXB0ZWQ=" };
  }
  const input = piece.form === "freeform" ? { input: piece.text } : { arguments: piece.text };
  return { ...openCall(piece, id), status: "completed", ...input };
}

interface ItemFrame {
  type: string;
  [field: string]: unknown;
}

/** The events that lead to an item, from `output_item.added` to `output_item.done`. */
export function* itemFrames(
  piece: ReplyText | ReplyCall,
  replyId: string,
  index: number,
): Generator<ItemFrame> {
  const item_id = itemId(piece, replyId, index);
  const place = { item_id, output_index: index };
  if (piece.kind === "say") yield* messageFrames(piece, place);
  else if (piece.kind === "think") yield* reasoningFrames(piece, place);
  else yield* callFrames(piece, place);
  yield { type: "response.output_item.done", output_index: index, item: toItem(piece, replyId, index) };
}

interface Place {
  item_id: string;
  output_index: number;
}

function* messageFrames(piece: ReplyText, place: Place): Generator<ItemFrame> {
  const at = { ...place, content_index: 0 };
  const text = piece.deltas.join("");
  const item = { ...message(place.item_id), status: "in_progress", content: [] };
  yield { type: "response.output_item.added", output_index: place.output_index, item };
  yield { type: "response.content_part.added", ...at, part: textPart("") };
  for (const delta of piece.deltas) yield { type: "response.output_text.delta", ...at, delta };
  yield { type: "response.output_text.done", ...at, text };
  yield { type: "response.content_part.done", ...at, part: textPart(text) };
}

function* reasoningFrames(piece: ReplyText, place: Place): Generator<ItemFrame> {
  const at = { ...place, summary_index: 0 };
  const text = piece.deltas.join("");
  const item = { id: place.item_id, type: "reasoning", summary: [] };
  yield { type: "response.output_item.added", output_index: place.output_index, item };
  yield { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } };
  for (const delta of piece.deltas) yield { type: "response.reasoning_summary_text.delta", ...at, delta };
  yield { type: "response.reasoning_summary_text.done", ...at, text };
  yield { type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text } };
}

function* callFrames(piece: ReplyCall, place: Place): Generator<ItemFrame> {
  const [name, field] =
    piece.form === "freeform"
      ? ["custom_tool_call_input", "input"]
      : ["function_call_arguments", "arguments"];
  const item = { ...openCall(piece, place.item_id), status: "in_progress", [field]: "" };
  yield { type: "response.output_item.added", output_index: place.output_index, item };
  yield { type: `response.${name}.delta`, ...place, delta: piece.text };
  yield { type: `response.${name}.done`, ...place, [field]: piece.text };
}

function itemId(piece: ReplyText | ReplyCall, replyId: string, index: number): string {
  const prefix =
    piece.kind === "say" ? "msg" : piece.kind === "think" ? "rs" : piece.form === "freeform" ? "ctc" : "fc";
  return `${prefix}_${replyId}_${index}`;
}

function message(id: string): object {
  return { id, type: "message", role: "assistant" };
}

function textPart(text: string): object {
  return { type: "output_text", text, annotations: [] };
}

function openCall(piece: ReplyCall, id: string): object {
  const type = piece.form === "freeform" ? "custom_tool_call" : "function_call";
  const namespace = piece.namespace === undefined ? {} : { namespace: piece.namespace };
  return { id, type, call_id: piece.id, name: piece.tool, ...namespace };
}
