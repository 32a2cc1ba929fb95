import { halves, type ReplyCall, type ReplyText, type Stretch } from "../reply.js";
import type { Interruption, Say, Think } from "../scenario.js";

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

/** An event without its sequence number, or an interruption of the connection. */
type ItemPart = { readonly type: string; readonly fields: object } | Interruption;

/** The events of one item, from `output_item.added` to `output_item.done`. */
export function* itemParts(
  { piece, interruptions }: Stretch,
  replyId: string,
  index: number,
): Generator<ItemPart> {
  const place = { item_id: itemId(piece, replyId, index), output_index: index };
  if (piece.kind === "say") yield* messageParts(piece, place, interruptions);
  else if (piece.kind === "think") yield* reasoningParts(piece, place, interruptions);
  else yield* callParts(piece, place, interruptions);
  yield part("output_item.done", { output_index: index, item: toItem(piece, replyId, index) });
}

function part(name: string, fields: object): ItemPart {
  return { type: `response.${name}`, fields };
}

interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

type Interruptions = readonly Interruption[];

function* messageParts(piece: Say, place: Place, interruptions: Interruptions): Generator<ItemPart> {
  const at = { ...place, content_index: 0 };
  const text = piece.deltas.join("");
  const item = { ...message(place.item_id), status: "in_progress", content: [] };
  yield part("output_item.added", { output_index: place.output_index, item });
  yield part("content_part.added", { ...at, part: textPart("") });
  for (const delta of piece.deltas) yield part("output_text.delta", { ...at, delta });
  yield* interruptions;
  yield part("output_text.done", { ...at, text });
  yield part("content_part.done", { ...at, part: textPart(text) });
}

function* reasoningParts(piece: Think, place: Place, interruptions: Interruptions): Generator<ItemPart> {
  const at = { ...place, summary_index: 0 };
  const text = piece.deltas.join("");
  const item = { id: place.item_id, type: "reasoning", summary: [] };
  yield part("output_item.added", { output_index: place.output_index, item });
  yield part("reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } });
  for (const delta of piece.deltas) yield part("reasoning_summary_text.delta", { ...at, delta });
  yield* interruptions;
  yield part("reasoning_summary_text.done", { ...at, text });
  yield part("reasoning_summary_part.done", { ...at, part: { type: "summary_text", text } });
}

function* callParts(piece: ReplyCall, place: Place, interruptions: Interruptions): Generator<ItemPart> {
  const [name, field] =
    piece.form === "freeform"
      ? ["custom_tool_call_input", "input"]
      : ["function_call_arguments", "arguments"];
  const [first, second] = halves(piece.text);
  const item = { ...openCall(piece, place.item_id), status: "in_progress", [field]: "" };
  yield part("output_item.added", { output_index: place.output_index, item });
  yield part(`${name}.delta`, { ...place, delta: first });
  yield* interruptions;
  yield part(`${name}.delta`, { ...place, delta: second });
  yield part(`${name}.done`, { ...place, [field]: piece.text });
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
