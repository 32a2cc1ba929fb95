import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Finished, OpenCall, Operation, Sink } from "../contract.js";
import { operationDrafts } from "../frame/operation-drafts.js";
import { toOperations } from "../shared/tool-table.js";
import type { OpenWork } from "./open-work.js";
import type { MessageOf, Partials } from "./partials.js";
import { isBackground, type Subagents } from "./subagents.js";
import { finishedOf, isStillRunning, recoverRead } from "./tool-results.js";
import { claudeTools, silentTools, subagentTools } from "./tools.js";

/** `assistant` and `user` records: what was said and thought, tool calls and their results. */
export interface Conversation {
  assistant(record: JsonObject, out: Sink): void;
  user(record: JsonObject, out: Sink): void;
  /** The last thing that the main thread's assistant said. */
  readonly lastText: string | undefined;
  /** The words with which Claude Code informs the model that it was interrupted, without the brackets. */
  readonly interruption: string | undefined;
  /** Emits what was being said when the stream was cut. */
  flush(out: Sink): void;
}

export function createConversation(parts: {
  subagents: Subagents;
  partials: Partials;
  openWork: OpenWork;
}): Conversation {
  let lastText: string | undefined;
  let interruption: string | undefined;

  function assistant(record: JsonObject, out: Sink): void {
    const message = asObject(record["message"]);
    const blocks = asArray(message?.["content"]);
    if (message === undefined || blocks === undefined) return;
    const parentCallId = asText(record["parent_tool_use_id"]);
    const text = textOf(blocks);
    const code = asText(record["error"]);
    if (code !== undefined) return reportError(text ?? code, { code, parentCallId }, out);
    if (blocks.length === 0) return out.consume("assistant: no content");

    const messageId = asText(message["id"]);
    for (const block of blocks) thought(asObject(block), { parentCallId, messageId }, out);
    if (text !== undefined) {
      const isSynthetic = message["model"] === "<synthetic>";
      const role = isSynthetic ? "system" : undefined;
      out.emit({ type: "agent", parentCallId, message: text, messageId, role });
      if (parentCallId === undefined && !isSynthetic) {
        parts.partials.restated();
        out.run.text = lastText = text;
      }
    }
    for (const block of blocks) callOrOther(block, parentCallId, out);
  }

  /** Claude Code itself speaking: the run is about to fail, or a subagent that the run goes on without. */
  function reportError(
    message: string,
    { code, parentCallId }: { code: string; parentCallId: string | undefined },
    out: Sink,
  ): void {
    if (parentCallId === undefined) {
      flush(out);
      out.run.failure = { message, code, isReported: true };
    } else parts.subagents.erred(parentCallId);
    out.emit({ type: "error", parentCallId, message, code });
  }

  function flush(out: Sink): void {
    const cut = parts.partials.takeCut();
    if (cut === undefined) return;
    out.run.text = lastText = cut.text;
    out.emit({ type: "agent", message: cut.text, messageId: cut.messageId, line: cut.line });
  }

  function thought(block: JsonObject | undefined, of: MessageOf, out: Sink): void {
    if (block?.["type"] !== "thinking") return;
    const message = asText(block["thinking"]);
    if (message === undefined || parts.partials.hasStreamedThinking(of)) {
      return out.consume("assistant: thinking that is empty or was streamed in pieces");
    }
    out.emit({ type: "thinking", parentCallId: of.parentCallId, message });
  }

  function callOrOther(value: JsonValue, parentCallId: string | undefined, out: Sink): void {
    const block = asObject(value);
    switch (block?.["type"]) {
      case "thinking":
        return;
      case "text":
        return out.consume("assistant: text is told as one message");
      case "redacted_thinking":
        return out.consume("assistant: redacted thinking");
      case "tool_use":
        return startCall(block, parentCallId, out);
      default:
        out.emit({ type: "unknown", parentCallId, raw: value });
    }
  }

  function startCall(block: JsonObject, parentCallId: string | undefined, out: Sink): void {
    const callId = asText(block["id"]);
    const name = asText(block["name"]);
    if (callId === undefined || name === undefined)
      return out.emit({ type: "unknown", parentCallId, raw: block });
    const rule = Object.hasOwn(claudeTools, name) ? claudeTools[name] : undefined;
    const isKnown = rule !== undefined || subagentTools.has(name) || silentTools.has(name);
    const call: OpenCall = { callId, name, input: block["input"], parentCallId, native: block };
    if (rule === undefined) call.isSilent = true;
    else call.operations = toOperations(rule, block["input"], out.cwd);
    out.open(call);
    if (!isKnown) out.emit({ type: "unknown", parentCallId, raw: block });
  }

  function user(record: JsonObject, out: Sink): void {
    const content = asObject(record["message"])?.["content"];
    if (typeof content === "string") return out.consume("user: an echoed prompt");
    const parentCallId = asText(record["parent_tool_use_id"]);
    for (const value of asArray(content) ?? []) {
      const block = asObject(value);
      if (block?.["type"] === "tool_result") endCall(block, record, parentCallId, out);
      else if (block?.["type"] === "text") {
        interruption =
          /^\[(Request interrupted by user.*)\]$/.exec(asText(block["text"]) ?? "")?.[1] ?? interruption;
        out.consume("user: an echoed prompt or injected context");
      } else out.emit({ type: "unknown", parentCallId, raw: value });
    }
  }

  function endCall(block: JsonObject, record: JsonObject, parentCallId: string | undefined, out: Sink): void {
    const call = out.call(asText(block["tool_use_id"]) ?? "");
    if (call === undefined) return recoverRead(block, record, parentCallId, out);
    parts.openWork.returned(call, record, out);
    const how = finishedOf(block, record);
    const isRecognised = call.isSilent !== true || silentTools.has(call.name) || subagentTools.has(call.name);
    if (call.operations?.length && isStillRunning(record)) finishRunning(call, call.operations, how, out);
    else out.finish(call, how);
    if (!isRecognised) out.emit({ type: "unknown", parentCallId, raw: block });
    if (subagentTools.has(call.name) && !isBackground(record)) {
      const name = asText(asObject(call.input)?.["subagent_type"]);
      parts.subagents.returned({ callId: call.callId, name, isSuccess: how.isSuccess ?? false }, out);
    }
  }

  /** The call is a success, and what it does has no outcome yet. */
  function finishRunning(call: OpenCall, operations: Operation[], how: Finished, out: Sink): void {
    call.isSilent = true;
    out.finish(call, how);
    for (const draft of operationDrafts(call, operations, {})) out.emit(draft);
  }

  return {
    assistant,
    user,
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
