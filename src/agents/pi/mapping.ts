import { asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink } from "../contract.js";
import { isWholeRecord } from "../shared/whole-record.js";
import { endCall, startCall } from "./calls.js";
import { createHeldError, emitRetry } from "./held-error.js";
import { createLife } from "./life.js";
import { createMessages } from "./messages.js";
import { readUpdate, updateOf } from "./updates.js";

type Handle = (record: JsonObject, out: Sink) => void;

/** Pi `--mode json` (recorded with 0.74.2 and 0.87.1). */
export function createPiMapping(): Mapping {
  const error = createHeldError();
  const messages = createMessages(error);
  const life = createLife(error);

  const records: Readonly<Record<string, Handle>> = {
    session: messages.session,
    agent_start: life.start,
    message_start: messages.start,
    message_update(record, out) {
      const update = updateOf(record);
      if (update !== undefined) messages.update(update, out);
    },
    message_end: messages.end,
    tool_execution_start: afterSession(startCall),
    tool_execution_end: afterSession(endCall),
    agent_end: life.end,
    agent_settled: life.settled,
    auto_retry_start: life.retry,
    auto_retry_end: life.retried,
    compaction_start: life.compact,
    auto_compaction_start: life.compact,
    compaction_end: life.compacted,
    auto_compaction_end: life.compacted,
    summarization_retry_scheduled: (record, out) => emitRetry(record, asText(record["errorMessage"]), out),
  };

  function afterSession(handle: Handle): Handle {
    return (record, out) => {
      messages.announce(out);
      handle(record, out);
    };
  }

  return {
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
      else if (bookkeeping.has(type)) out.consume(type);
    },
    /** These records repeat what others report, and grow with the transcript. */
    skip(line) {
      const rule = line.startsWith('{"type":"tool_execution_update",')
        ? "tool_execution_update: output so far"
        : line.startsWith('{"type":"turn_end",')
          ? "turn_end: messages that were already reported"
          : undefined;
      return rule !== undefined && isWholeRecord(line) ? rule : undefined;
    },
    raw(line, out) {
      const update = readUpdate(line);
      return update !== undefined && messages.update(update, out);
    },
    /** The process ended without announcing a retry: the held error is the cause. */
    flush(out) {
      messages.announce(out);
      error.report(out);
    },
  };
}

/** Records that give no events. */
const bookkeeping: ReadonlySet<string> = new Set([
  "turn_start",
  "turn_end",
  "tool_execution_update",
  "queue_update",
  "entry_appended",
  "session_info_changed",
  "thinking_level_changed",
  "summarization_retry_attempt_start",
  "summarization_retry_finished",
  "bash_execution_update",
]);
