import { asArray, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Finished, Mapping, OpenCall, Sink, TranslatorOptions } from "../contract.js";
import { createClaudeStream } from "../shared/claude-stream/mapping.js";
import { endCall, todoTool, typedResult } from "./call-result.js";
import { deniedBy, failureOf } from "./failure.js";
import { createMessages } from "./messages.js";
import { createGrokSubagents } from "./subagents.js";
import { grokTools, spawnTool } from "./tools.js";
import { createUpdates } from "./updates.js";

/**
 * Grok Build `--output-format streaming-messages-json` (recorded with 1.0.41): Claude Code's shape with differences. The records of
 * `streaming-json` have other types and are understood as well.
 */
export function createGrokMapping(options: TranslatorOptions = {}): Mapping {
  const subagents = createGrokSubagents();
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
  const messages = createMessages(stream, subagents);

  const records: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    ...updates.records,
    stream_event: messages.streamEvent,
    assistant: messages.assistant,
    user: messages.user,
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
      out.identify(asText(record["session_id"]));
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
      else stream.record(record, out);
    },
    flush(out) {
      updates.flush(out);
      stream.flush?.(out);
    },
    todoTools: { todo_write: todoTool },
  };
}
