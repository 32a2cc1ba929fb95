import type { EventOf } from "../../events/event.js";
import type { TokenCounts } from "../../events/usage.js";
import type { JsonObject } from "../../text/json.js";
import type { Records } from "./records.js";
import type { ClaudeBlock, ClaudeStreamEvent, ClaudeUsage } from "./schema.js";

/**
 * What the agent and its subagents say. Pieces are `stream_event`s, whole blocks are `assistant` records with the same id. Each
 * agent has one message at a time: it ends when another one begins, or when its tokens are known.
 */
export interface Messages {
  model: string;
  /** How many messages of the main agent there were. */
  readonly count: number;
  text(event: EventOf<"text">): void;
  whole(event: EventOf<"agent">): void;
  thinking(event: EventOf<"thinking">): void;
  /** A call, as part of the message of the agent that makes it. */
  call(
    block: ClaudeBlock,
    about: { parentCallId?: string | undefined; seq: number; facts?: JsonObject | undefined },
  ): void;
  /** The results of calls go to the agent: what it says then is another message. */
  answered(parentCallId: string | undefined): void;
  /** The tokens of the message. */
  usage(event: EventOf<"usage">): void;
  /** Ends all that is open. */
  close(): void;
}

interface Speech {
  id: string;
  parent: string | null;
  isStreamed: boolean;
  /** The kind of the block that is being streamed. */
  block: "text" | "thinking" | undefined;
  index: number;
  thinking: string;
  hasThinking: boolean;
  /** It has been said as a whole: pieces without an id belong to another message. */
  isOver: boolean;
  /** The results of its calls are there: whatever follows without its id belongs to another message. */
  isAnswered: boolean;
}

/** What is being said, by the call that has started the subagent. */
interface Talk {
  readonly records: Records;
  readonly speeches: Map<string | undefined, Speech>;
  model: string;
  count: number;
}

export function createMessages(records: Records): Messages {
  const talk: Talk = { records, speeches: new Map(), model: "unknown", count: 0 };
  const { speeches } = talk;
  return {
    get model() {
      return talk.model;
    },
    set model(name) {
      talk.model = name;
    },
    get count() {
      return talk.count;
    },
    text({ parentCallId, messageId, seq, delta }) {
      const speech = speak(talk, { parentCallId, id: messageId, seq });
      begin(talk, speech, "text");
      piece(talk, speech, { type: "text_delta", text: delta });
    },
    whole({ parentCallId, messageId, seq, message }) {
      const speech = speak(talk, { parentCallId, id: messageId, seq });
      if (speech.block === "thinking") endBlock(talk, speech);
      say(talk, speech, { type: "text", text: message });
      endBlock(talk, speech);
      speech.isOver = true;
    },
    thinking({ parentCallId, seq, delta, message }) {
      // A reader takes a whole block for the pieces of the same message.
      if (message !== undefined && speeches.get(parentCallId)?.hasThinking) end(talk, parentCallId);
      const speech = speak(talk, { parentCallId, seq });
      if (message !== undefined) say(talk, speech, { type: "thinking", thinking: message, signature: "" });
      if (delta === undefined) return;
      begin(talk, speech, "thinking");
      speech.hasThinking = true;
      speech.thinking += delta;
      piece(talk, speech, { type: "thinking_delta", thinking: delta });
    },
    call(block, { parentCallId, seq, facts }) {
      const open = speeches.get(parentCallId);
      const speech = open === undefined || open.isAnswered ? speak(talk, { parentCallId, seq }) : open;
      if (speech.block === "thinking") endBlock(talk, speech);
      say(talk, speech, block, facts);
    },
    answered(parentCallId) {
      const speech = speeches.get(parentCallId);
      if (speech !== undefined) speech.isAnswered = true;
    },
    usage(event) {
      openForUsage(talk, event);
      end(talk, event.parentCallId, usageOf(event));
    },
    close() {
      for (const parentCallId of [...speeches.keys()]) end(talk, parentCallId);
    },
  };
}

function messageOf({ model }: Talk, id: string, content: ClaudeBlock[]) {
  const ends = { stop_reason: null, stop_sequence: null };
  return { id, type: "message" as const, role: "assistant" as const, model, content, ...ends };
}

function stream({ records }: Talk, { parent }: Speech, event: ClaudeStreamEvent): void {
  records.add({ type: "stream_event", event, parent_tool_use_id: parent });
}

type Delta = Extract<ClaudeStreamEvent, { type: "content_block_delta" }>["delta"];

function piece(talk: Talk, speech: Speech, delta: Delta): void {
  stream(talk, speech, { type: "content_block_delta", index: speech.index, delta });
}

function say(talk: Talk, { id, parent }: Speech, block: ClaudeBlock, facts?: JsonObject): void {
  talk.records.add({
    type: "assistant",
    message: { ...messageOf(talk, id, [block]), usage: { input_tokens: 0, output_tokens: 0 } },
    parent_tool_use_id: parent,
    ...(facts !== undefined && { "harness-stream": facts }),
  });
}

/** Ends the block that is being streamed. Thinking in pieces is said as a whole, too. */
function endBlock(talk: Talk, speech: Speech): void {
  if (speech.block === undefined) return;
  if (speech.block === "thinking")
    say(talk, speech, { type: "thinking", thinking: speech.thinking, signature: "" });
  stream(talk, speech, { type: "content_block_stop", index: speech.index });
  speech.block = undefined;
  speech.thinking = "";
  speech.index += 1;
}

function end(talk: Talk, parentCallId: string | undefined, usage?: ClaudeUsage): void {
  const speech = talk.speeches.get(parentCallId);
  talk.speeches.delete(parentCallId);
  if (speech === undefined || !speech.isStreamed) return;
  endBlock(talk, speech);
  const delta = { stop_reason: null, stop_sequence: null };
  if (usage !== undefined) stream(talk, speech, { type: "message_delta", delta, usage });
  stream(talk, speech, { type: "message_stop" });
}

interface Spoken {
  parentCallId: string | undefined;
  /** Undefined: the message that is open, or another one. */
  id?: string | undefined;
  seq: number;
}

/** The message that is spoken. Another one begins if the id is another one, or the one before is over. */
function speak(talk: Talk, { parentCallId, id, seq }: Spoken): Speech {
  const open = talk.speeches.get(parentCallId);
  if (open !== undefined && (id === undefined ? !open.isOver && !open.isAnswered : open.id === id))
    return open;
  end(talk, parentCallId);
  if (parentCallId === undefined) talk.count += 1;
  const speech: Speech = {
    id: id || `msg_${seq}`,
    parent: parentCallId ?? null,
    isStreamed: false,
    block: undefined,
    index: 0,
    thinking: "",
    hasThinking: false,
    isOver: false,
    isAnswered: false,
  };
  talk.speeches.set(parentCallId, speech);
  return speech;
}

function start(talk: Talk, speech: Speech): void {
  if (!speech.isStreamed)
    stream(talk, speech, { type: "message_start", message: messageOf(talk, speech.id, []) });
  speech.isStreamed = true;
}

function begin(talk: Talk, speech: Speech, kind: "text" | "thinking"): void {
  start(talk, speech);
  if (speech.block === kind) return;
  endBlock(talk, speech);
  speech.block = kind;
  const { index } = speech;
  const content_block =
    kind === "text"
      ? { type: "text" as const, text: "" }
      : { type: "thinking" as const, thinking: "", signature: "" };
  stream(talk, speech, { type: "content_block_start", index, content_block });
}

/** Tokens are part of a message that is streamed. If none is, one without content has them. */
function openForUsage(talk: Talk, { parentCallId, seq }: EventOf<"usage">): void {
  const open = talk.speeches.get(parentCallId);
  if (open?.isStreamed) return;
  const { count } = talk;
  talk.speeches.delete(parentCallId);
  start(talk, speak(talk, { parentCallId, id: open?.id, seq }));
  if (open !== undefined) talk.count = count;
}

/** Tokens in the words of the API. */
export function usageOf(counts: TokenCounts): ClaudeUsage {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = counts;
  return {
    ...(inputTokens !== undefined && { input_tokens: inputTokens }),
    ...(cacheWriteTokens !== undefined && { cache_creation_input_tokens: cacheWriteTokens }),
    ...(cacheReadTokens !== undefined && { cache_read_input_tokens: cacheReadTokens }),
    ...(outputTokens !== undefined && { output_tokens: outputTokens }),
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}
