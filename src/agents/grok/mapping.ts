import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Finished, Mapping, OpenCall, Sink, TranslatorOptions } from "../contract.js";
import { createClaudeStream } from "../shared/claude-stream/mapping.js";
import { tokensOfStep } from "../shared/claude-stream/usage.js";
import { createBlocks } from "./blocks.js";
import { deniedBy, failureOf } from "./failure.js";
import { createGrokSubagents } from "./subagents.js";
import { grokTools, spawnTool } from "./tools.js";
import { endCall, typedResult } from "./typed-result.js";
import { createUpdates } from "./updates.js";

/**
 * Grok Build `--output-format streaming-messages-json` (recorded with 1.0.41): Claude Code's shape with differences. The records of
 * `streaming-json` have other types and are understood as well.
 */
export function createGrokMapping(options: TranslatorOptions = {}): Mapping {
  const subagents = createGrokSubagents();
  const blocks = createBlocks();
  /** By message: the call whose subagent gives it. */
  const authors = new Map<string, string | undefined>();
  /** The call that was denied last, in Grok's words. */
  let denied: string | undefined;

  function finish(call: OpenCall, how: Finished, result: JsonObject | undefined, out: Sink): void {
    denied = deniedBy(endCall(call, how, result, out)) ?? denied;
    if (call.name === spawnTool) subagents.returned(call, how, result, out);
    else subagents.reported(result, out);
  }

  const stream = createClaudeStream(
    {
      tools: grokTools,
      subagentTools: new Set(),
      silentTools: new Set([spawnTool]),
      isUnknownOnce: true,
      endCall: (call, how, out) => finish(call, how, typedResult(how.output), out),
    },
    options,
  );
  const updates = createUpdates(subagents, finish, () => denied);

  function authorOf(messageId: string | undefined): string | undefined {
    if (messageId === undefined) return undefined;
    if (!authors.has(messageId)) authors.set(messageId, subagents.speaker);
    return authors.get(messageId);
  }

  /** Gives blocks of a message to the stream as an `assistant` record. */
  function tell(message: JsonObject, content: JsonValue[], record: JsonObject, out: Sink): void {
    const author = authorOf(asText(message["id"]));
    const told = { ...message, content };
    stream.record({ ...record, type: "assistant", message: told, parent_tool_use_id: author ?? null }, out);
    for (const value of content) {
      const { name, id, input } = asObject(value) ?? {};
      const callId = asText(id);
      if (name === spawnTool && callId !== undefined)
        subagents.started({ callId, input, parentCallId: author }, out);
    }
  }

  const records: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    ...updates.records,
    stream_event(record, out) {
      const block = blocks.take(asObject(record["event"]) ?? {});
      const id = blocks.messageId;
      if (block !== undefined && id !== undefined) return tell({ id }, [block], record, out);
      stream.record({ ...record, parent_tool_use_id: authorOf(id) ?? null }, out);
    },
    assistant(record, out) {
      const message = asObject(record["message"]);
      const content = asArray(message?.["content"]);
      if (message === undefined || content === undefined) return;
      const rest = blocks.rest(asText(message["id"]), content);
      if (rest.length === 0 && content.length > 0)
        return out.consume("assistant: its blocks were streamed one by one");
      tell(message, rest, record, out);
      if (blocks.messageId !== undefined) return;
      // Without partial messages only the whole message has the answer's tokens.
      const tokens = tokensOfStep(message["usage"]);
      const parentCallId = authorOf(asText(message["id"]));
      if (tokens?.totalTokens) out.emit({ type: "usage", parentCallId, ...tokens, scope: "step" });
    },
    user(record, out) {
      const [block] = asArray(asObject(record["message"])?.["content"]) ?? [];
      const call = out.call(asText(asObject(block)?.["tool_use_id"]) ?? "");
      stream.record({ ...record, parent_tool_use_id: call?.parentCallId ?? null }, out);
    },
    result(record, out) {
      const [words] = asArray(record["errors"]) ?? [];
      const failure = failureOf(asText(words) ?? "", asText(record["stop_reason"]), denied);
      const errors = typeof words === "string" ? [failure.message] : [];
      stream.record({ ...record, errors, api_error_status: failure.status ?? null }, out);
      const { run } = out;
      if (run.failure !== undefined) run.failure = { ...run.failure, kind: failure.kind ?? run.failure.kind };
    },
  };

  return {
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
      else stream.record(record, out);
    },
    flush(out) {
      updates.flush(out);
      stream.flush?.(out);
    },
  };
}
