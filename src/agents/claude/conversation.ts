import type { Finished, OpenCall, Sink } from "../../translator/contract.js";
import { asArray, asCount, asObject, asText, firstText, joinTextBlocks } from "../../translator/fields.js";
import { resolvePath } from "../../translator/paths.js";
import type { JsonObject, JsonValue } from "../../vocabulary/json.js";
import { toOperations } from "../shared/tool-table.js";
import type { Partials } from "./partials.js";
import { isBackground, type Subagents } from "./subagents.js";
import { claudeTools, silentTools, subagentTools } from "./tools.js";

/** `assistant` and `user` records: what was said and thought, tool calls and their results. */
export interface Conversation {
  assistant(record: JsonObject, out: Sink): void;
  user(record: JsonObject, out: Sink): void;
  /** The last thing that the main thread's assistant said. */
  readonly lastText: string | undefined;
}

export function createConversation(parts: { subagents: Subagents; partials: Partials }): Conversation {
  let lastText: string | undefined;

  function assistant(record: JsonObject, out: Sink): void {
    const message = asObject(record["message"]);
    const blocks = asArray(message?.["content"]);
    if (message === undefined || blocks === undefined) return;
    const parentCallId = asText(record["parent_tool_use_id"]);
    const text = textOf(blocks);
    const code = asText(record["error"]);
    if (code !== undefined) return reportError(text, code, out);
    if (blocks.length === 0) return out.consume("assistant: no content");

    const messageId = asText(message["id"]);
    for (const block of blocks) thought(asObject(block), { parentCallId, messageId }, out);
    if (text !== undefined) {
      const isSynthetic = message["model"] === "<synthetic>";
      out.emit({ type: "agent", parentCallId, message: text, role: isSynthetic ? "system" : undefined });
      if (parentCallId === undefined && !isSynthetic) out.run.text = lastText = text;
    }
    for (const block of blocks) callOrOther(block, parentCallId, out);
  }

  /** Claude Code itself speaking: the run is about to fail. */
  function reportError(text: string | undefined, code: string, out: Sink): void {
    const message = text ?? code;
    out.run.failure = { message, code, isReported: true };
    out.emit({ type: "error", message, code });
  }

  function thought(
    block: JsonObject | undefined,
    context: { parentCallId: string | undefined; messageId: string | undefined },
    out: Sink,
  ): void {
    if (block?.["type"] !== "thinking") return;
    const message = asText(block["thinking"]);
    if (message === undefined || parts.partials.hasStreamedThinking(context.messageId)) {
      return out.consume("assistant: thinking that is empty or was streamed in pieces");
    }
    out.emit({ type: "thinking", parentCallId: context.parentCallId, message });
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
      else if (block?.["type"] === "text") out.consume("user: an echoed prompt or injected context");
      else out.emit({ type: "unknown", parentCallId, raw: value });
    }
  }

  function endCall(block: JsonObject, record: JsonObject, parentCallId: string | undefined, out: Sink): void {
    const call = out.call(asText(block["tool_use_id"]) ?? "");
    if (call === undefined) return recoverRead(block, record, parentCallId, out);
    const how = finishedOf(block, record);
    const isRecognised = call.isSilent !== true || silentTools.has(call.name) || subagentTools.has(call.name);
    out.finish(call, how);
    if (!isRecognised) out.emit({ type: "unknown", parentCallId, raw: block });
    if (subagentTools.has(call.name) && !isBackground(record)) {
      const name = asText(asObject(call.input)?.["subagent_type"]);
      parts.subagents.returned({ callId: call.callId, name, isSuccess: how.isSuccess ?? false }, out);
    }
  }

  return {
    assistant,
    user,
    get lastText() {
      return lastText;
    },
  };
}

/** Success is told by absence: `is_error` is only sent by Bash and on failure. */
function finishedOf(block: JsonObject, record: JsonObject): Finished {
  const details = asObject(record["tool_use_result"]);
  const output = joinTextBlocks(block["content"]);
  const isInterrupted = details?.["interrupted"] === true;
  const isRunning = asText(details?.["backgroundTaskId"]) !== undefined;
  return {
    isSuccess: isRunning ? undefined : block["is_error"] !== true && !isInterrupted,
    output,
    exitCode: block["is_error"] === true ? exitCodeIn(output) : undefined,
    native: block,
  };
}

/** There is no exit code field: a failed command's output begins with `Exit code 3`. */
function exitCodeIn(output: JsonValue | undefined): number | undefined {
  const match = typeof output === "string" ? /^Exit code (\d{1,3})(?:\n|$)/.exec(output) : null;
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** A result without its call: a read can still be told from the file that it carries. */
function recoverRead(
  block: JsonObject,
  record: JsonObject,
  parentCallId: string | undefined,
  out: Sink,
): void {
  const file = asObject(asObject(record["tool_use_result"])?.["file"]);
  const path = file && firstText(file, ["filePath", "file_path", "path"]);
  if (path === undefined) return out.emit({ type: "unknown", parentCallId, raw: block });
  const startLine = asCount(file?.["startLine"]) || undefined;
  const count = asCount(file?.["numLines"]);
  const endLine = startLine !== undefined && count ? startLine + count - 1 : undefined;
  const callId = asText(block["tool_use_id"]);
  out.emit({
    type: "read",
    parentCallId,
    path: resolvePath(path, out.cwd),
    startLine,
    endLine,
    isSuccess: block["is_error"] !== true,
    callId,
  });
}

function textOf(blocks: readonly JsonValue[]): string | undefined {
  const texts = blocks.flatMap((value) => {
    const block = asObject(value);
    return block?.["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : [];
  });
  const text = texts.join("");
  return text === "" ? undefined : text;
}
