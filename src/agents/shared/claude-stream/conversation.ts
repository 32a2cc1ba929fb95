import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { type CallParts, type Calls, createCalls } from "./calls.js";
import type { Notices } from "./notices.js";
import type { Partials } from "./partials.js";
import type { RateLimits } from "./rate-limits.js";
import type { MessageOf } from "./threads.js";

/** `assistant` and `user` records: messages, thinking, tool calls and their results. */
export interface Conversation {
  assistant(record: JsonObject, out: Sink): void;
  user(record: JsonObject, out: Sink): void;
  /** The last message of the main thread's assistant. */
  readonly lastText: string | undefined;
  /** The text that informs the model of an interruption, without its brackets. */
  readonly interruption: string | undefined;
  /** Emits the text that was being streamed when the stream ended. */
  flush(out: Sink): void;
}

export function createConversation(
  parts: CallParts & { partials: Partials; notices: Notices; rateLimits: RateLimits },
): Conversation {
  const { subagents, partials, skills, notices, rateLimits } = parts;
  const calls = createCalls(parts);
  let lastText: string | undefined;
  let interruption: string | undefined;

  function emitText(message: string, of: MessageOf, isSynthetic: boolean, out: Sink): void {
    const { parentCallId, messageId } = of;
    if (isSynthetic) return notices.add(message, of, out);
    partials.restated(of, out);
    out.emit({ type: "agent", parentCallId, message, messageId });
    if (parentCallId === undefined) out.run.text = lastText = message;
  }

  /** An error that Claude Code itself reports. It ends the run, or only a subagent. */
  function emitError(message: string, code: string, parentCallId: string | undefined, out: Sink): void {
    if (parentCallId === undefined) {
      flush(out);
      const retryAt = rateLimits.retryAt({ message, code });
      out.run.failure = { message, code, retryAt, isReported: true };
    } else subagents.erred(parentCallId);
    out.emit({ type: "error", parentCallId, message, code });
  }

  function flush(out: Sink): void {
    const cut = partials.takeUnfinished();
    if (cut === undefined) return;
    out.run.text = lastText = cut.text;
    out.emit({ type: "agent", message: cut.text, messageId: cut.messageId, line: cut.line });
  }

  return {
    assistant(record, out) {
      const message = asObject(record["message"]);
      const blocks = asArray(message?.["content"]);
      if (message === undefined || blocks === undefined) return;
      const parentCallId = asText(record["parent_tool_use_id"]);
      const text = textOf(blocks);
      const code = asText(record["error"]);
      if (code !== undefined) return emitError(text ?? code, code, parentCallId, out);
      if (blocks.length === 0) return out.consume("assistant: no content");

      const messageId = partials.idOf({ parentCallId, messageId: asText(message["id"]) });
      const of = { parentCallId, messageId };
      for (const block of blocks) emitThinking(asObject(block), of, partials, out);
      if (text !== undefined) emitText(text, of, message["model"] === "<synthetic>", out);
      for (const block of blocks) startCall(block, parentCallId, calls, out);
    },
    user(record, out) {
      const content = asObject(record["message"])?.["content"];
      if (typeof content === "string") return out.consume("user: an echoed prompt");
      const parentCallId = asText(record["parent_tool_use_id"]);
      for (const value of asArray(content) ?? []) {
        const block = asObject(value);
        if (block?.["type"] === "tool_result") calls.end(block, record, parentCallId, out);
        else if (block?.["type"] === "text") {
          interruption = interruptionIn(block) ?? interruption;
          if (skills.injected(block, parentCallId, out)) continue;
          out.consume("user: an echoed prompt or injected context");
        } else out.emit({ type: "unknown", parentCallId, raw: value });
      }
    },
    flush,
    get lastText() {
      return lastText;
    },
    get interruption() {
      return interruption;
    },
  };
}

function textOf(blocks: readonly JsonValue[]): string | undefined {
  let text = "";
  for (const value of blocks) {
    const block = asObject(value);
    if (block?.["type"] === "text" && typeof block["text"] === "string") text += block["text"];
  }
  return text === "" ? undefined : text;
}

function emitThinking(block: JsonObject | undefined, of: MessageOf, partials: Partials, out: Sink): void {
  if (block?.["type"] !== "thinking") return;
  const message = asText(block["thinking"]);
  if (message === undefined || partials.hasStreamedThinking(of)) {
    return out.consume("assistant: thinking that is empty or was streamed in pieces");
  }
  out.emit({ type: "thinking", parentCallId: of.parentCallId, message });
}

/** Text and thinking have been emitted already. Any other block that is not a call is `unknown`. */
function startCall(value: JsonValue, parentCallId: string | undefined, calls: Calls, out: Sink): void {
  const block = asObject(value);
  switch (block?.["type"]) {
    case "thinking":
      return;
    case "text":
      return out.consume("assistant: text is emitted as one message");
    case "redacted_thinking":
      return out.consume("assistant: redacted thinking");
    case "tool_use":
      return calls.start(block, parentCallId, out);
    default:
      out.emit({ type: "unknown", parentCallId, raw: value });
  }
}

function interruptionIn(block: JsonObject): string | undefined {
  return /^\[(Request interrupted by user.*)\]$/.exec(asText(block["text"]) ?? "")?.[1];
}
