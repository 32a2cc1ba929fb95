import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink } from "../../contract.js";
import { createItems, type Items } from "../items.js";
import { createStoredCalls, type StoredCalls } from "./calls.js";
import { type Line, quietLines, readLine } from "./lines.js";
import { createStoredTokens, type StoredTokens } from "./numbers.js";
import { contentText, promptIn } from "./prompts.js";
import { toExecItem } from "./spelling.js";
import { createStoredThreads, type LineSpeaker, type StoredThreads } from "./threads.js";
import { createStoredTurns, type StoredTurns } from "./turns.js";

/** A line, its record, and the thread that it belongs to. */
interface Spoken extends Line, LineSpeaker {
  record: JsonObject;
}

type Handle = (line: Spoken, out: Sink) => void;
type Handles = Readonly<Record<string, Handle>>;

interface Parts {
  threads: StoredThreads;
  items: Items;
  tokens: StoredTokens;
  turns: StoredTurns;
  calls: StoredCalls;
}

/**
 * A rollout file (0.166.0, and lines of older versions that are publicly known). `item_completed` has the items of `exec --json`. Versions
 * without it have `agent_message` and `agent_reasoning`, or only the items of the conversation (`response_item`): the first line that says
 * something counts, and what repeats it is consumed.
 */
export function createCodexStoreMapping(): Mapping {
  const items = createItems();
  const tokens = createStoredTokens();
  const turns = createStoredTurns(tokens);
  const threads = createStoredThreads();
  const parts: Parts = { threads, items, tokens, turns, calls: createStoredCalls(items) };
  const lines: Handles = { ...aboutTurns(parts), ...talkIn(parts) };

  return {
    record(record, out) {
      const line = readLine(record);
      const subtype = asText(line.payload["type"]);
      const key = subtype === undefined ? line.type : `${line.type}/${subtype}`;
      const quiet = quietLines.get(key) ?? quietLines.get(line.type);
      const spoken = { ...line, record, ...threads.speakerOf(line) };
      if (Object.hasOwn(lines, key)) lines[key]?.(spoken, out);
      else if (quiet !== undefined) out.consume(`${key}: ${quiet}`);
    },
    flush: (out) => turns.over("file", out),
  };
}

/** Where turns begin and end, and what they took. */
function aboutTurns({ threads, items, tokens, turns }: Parts): Handles {
  return {
    session_meta({ payload }, out) {
      turns.moved(asText(payload["cwd"]));
      out.identify(asText(payload["id"]));
      out.run.agentVersion ??= asText(payload["cli_version"]);
      out.consume("session_meta");
    },
    turn_context({ payload, parentCallId }, out) {
      out.consume("turn_context");
      if (parentCallId !== undefined) return;
      turns.moved(asText(payload["cwd"]));
      out.session({ model: asText(payload["model"]), cwd: asText(payload["cwd"]) });
    },
    token_usage_record({ payload, threadId, parentCallId }, out) {
      out.consume("token_usage_record: counted before");
      const [last, total] = [asObject(payload["usage"]), asObject(payload["thread_token_usage"])];
      tokens.count({ threadId, parentCallId, last, total }, out);
    },
    "event_msg/token_count"({ payload, threadId, parentCallId }, out) {
      out.consume("token_count: counted before");
      const info = asObject(payload["info"]);
      const [last, total] = [asObject(info?.["last_token_usage"]), asObject(info?.["total_token_usage"])];
      // Its lines do not name their thread: with subagents, only `token_usage_record` can be counted.
      if (!threads.hasSubagents) tokens.count({ threadId, parentCallId, last, total }, out);
    },
    "event_msg/task_started"({ parentCallId }, out) {
      out.consume("the beginning of a turn: its prompt follows");
      if (parentCallId === undefined) turns.over("next", out);
    },
    "event_msg/task_complete"({ payload, threadId, parentCallId }, out) {
      out.consume("the end of a turn");
      if (parentCallId === undefined) return turns.completed(payload, out);
      items.subagentOver(threadId ?? "", asObject(payload["error"]) === undefined, parentCallId, out);
    },
    "event_msg/turn_aborted"({ parentCallId }, out) {
      out.consume("the end of a turn that was interrupted");
      if (parentCallId === undefined) turns.interrupted(out);
    },
    "event_msg/error"({ payload }, out) {
      const message = asText(payload["message"]);
      if (message === undefined) return;
      turns.erred(message, out);
      out.consume("error: held until the turn ends");
    },
    "event_msg/stream_error"({ payload }, out) {
      const message = asText(payload["message"]);
      if (message !== undefined) out.emit({ type: "warning", message });
    },
  };
}

/** Messages, reasoning, and calls of tools. */
function talkIn({ threads, items, turns, calls }: Parts): Handles {
  /** Messages and reasoning of the turn so far, which other lines may repeat. */
  const said = new Set<string>();
  /** The file has items: then messages of the conversation only repeat them, or belong to a summary of the conversation. */
  let hasItems = false;
  turns.onBegin(() => said.clear());

  function say(type: "agent_message" | "reasoning", text: string | undefined, line: Spoken, out: Sink): void {
    const { record, parentCallId, payload } = line;
    const key = `${parentCallId ?? ""} ${type} ${text}`;
    if (text === undefined || said.has(key)) return out.consume(`${type}: said before`);
    if (parentCallId === undefined) turns.works(out);
    said.add(key);
    const id = asText(asObject(payload["item"])?.["id"]) ?? asText(payload["id"]);
    items.completed({ item: { type, text, ...(id !== undefined && { id }) }, record, parentCallId }, out);
    if (type === "agent_message" && parentCallId === undefined) turns.answered();
  }

  function asked(line: Spoken, out: Sink): void {
    const text = promptIn(line.type, line.payload);
    if (text === undefined || line.parentCallId !== undefined)
      return out.consume("a prompt: empty, or of a subagent");
    turns.asked(text, out);
  }

  function itemCompleted(line: Spoken, out: Sink): void {
    hasItems = true;
    const { payload, record, parentCallId } = line;
    const native = asObject(payload["item"]) ?? {};
    const type = asText(native["type"]) ?? "";
    if (type === "UserMessage") return asked(line, out);
    const quiet = quietLines.get(`item/${type}`);
    if (quiet !== undefined) return out.consume(`${type}: ${quiet}`);
    const item = toExecItem(native);
    if (type === "AgentMessage") return say("agent_message", asText(item["text"]), line, out);
    if (type === "Reasoning") return say("reasoning", asText(item["text"]), line, out);
    threads.itemCompleted(item);
    if (calls.isOver(asText(item["id"]), out)) return out.consume("an item that has ended before");
    if (parentCallId === undefined) turns.works(out);
    calls.completed({ item, record, parentCallId }, out);
  }

  function start(line: Spoken, out: Sink): void {
    if (line.parentCallId === undefined) turns.works(out);
    calls.started(line, out);
    threads.called(line.payload);
  }

  return {
    "event_msg/item_completed": itemCompleted,
    "event_msg/user_message": asked,
    "event_msg/agent_message": (line, out) =>
      say("agent_message", asText(line.payload["message"]), line, out),
    "event_msg/agent_reasoning": (line, out) => say("reasoning", asText(line.payload["text"]), line, out),
    "response_item/message"(line, out) {
      if (hasItems) return out.consume("message: an item has it");
      if (promptIn(line.type, line.payload) !== undefined) return asked(line, out);
      if (line.payload["role"] !== "assistant") return out.consume("message: context for the model");
      say("agent_message", contentText(line.payload["content"]), line, out);
    },
    "response_item/reasoning"(line, out) {
      const text = contentText(line.payload["summary"]);
      if (hasItems || text === undefined) return out.consume("reasoning: an item has it, or it is encrypted");
      say("reasoning", text, line, out);
    },
    "response_item/function_call": start,
    "response_item/custom_tool_call": start,
    "response_item/local_shell_call": start,
    "response_item/function_call_output": calls.returned,
    "response_item/custom_tool_call_output": calls.returned,
  };
}
