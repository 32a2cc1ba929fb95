import { asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../contract.js";
import { createMessageIds } from "../shared/message-ids.js";
import { isWholeRecord } from "../shared/whole-record.js";
import { continueCall, endCall, startCall } from "./calls.js";
import { createHeldError, emitRetry } from "./held-error.js";
import { createLife } from "./life.js";
import { createMessages } from "./messages.js";
import { readCallId, readUpdate, updateOf } from "./updates.js";
import { createUsage } from "./usage.js";

type Handle = (record: JsonObject, out: Sink) => void;

/** The mapping of one run, or of one turn of a live session. */
export interface PiMapping extends Mapping {
  /** Drops a failed request that is held: somebody interrupted it. False if there is none. */
  forgetError(): boolean;
}

/**
 * Pi `--mode json` (recorded with 0.74.2, 0.87.1 and 1.4.0). The turns of a live session share one numbering of
 * their messages.
 */
export function createPiMapping(_options?: TranslatorOptions, ids = createMessageIds()): PiMapping {
  const error = createHeldError();
  const addUsage = createUsage();
  const messages = createMessages(error, addUsage, ids);
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
    tool_execution_update(record, out) {
      continueCall(asText(record["toolCallId"]), out);
    },
    tool_execution_end: afterSession(endCall),
    agent_end: life.end,
    agent_settled: life.settled,
    auto_retry_start: life.retry,
    auto_retry_end: life.retried,
    compaction_start: life.compact,
    auto_compaction_start: life.compact,
    compaction_end: compacted,
    auto_compaction_end: compacted,
    entry_appended(record, out) {
      const entry = asObject(record["entry"]);
      if (entry?.["type"] === "usage") addUsage(entry["usage"], out);
      out.consume("entry_appended");
    },
    summarization_retry_scheduled: (record, out) => emitRetry(record, asText(record["errorMessage"]), out),
  };

  function compacted(record: JsonObject, out: Sink): void {
    addUsage(asObject(record["result"])?.["usage"], out);
    life.compacted(record, out);
  }

  /** A record that is not understood stays `unknown`, even if it is the one that announces the session. */
  function afterSession(handle: (record: JsonObject, out: Sink) => boolean): Handle {
    return (record, out) => {
      messages.announce(out);
      if (!handle(record, out)) out.emit({ type: "unknown", raw: record });
    };
  }

  return {
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
      else if (bookkeeping.has(type)) out.consume(type);
    },
    /** `turn_end` repeats what other records report, and it grows with the transcript. */
    skip(line) {
      const isSkipped = line.startsWith('{"type":"turn_end",') && isWholeRecord(line);
      return isSkipped ? "turn_end: messages that were already reported" : undefined;
    },
    raw(line, out) {
      const callId = readCallId(line);
      if (callId !== undefined) return continueCall(callId, out);
      const update = readUpdate(line);
      return update !== undefined && messages.update(update, out);
    },
    /** The process ended without announcing a retry: the held error is the cause. */
    flush(out) {
      messages.announce(out);
      messages.cut(out);
      error.report(out);
    },
    forgetError: error.forget,
  };
}

/** Records that give no events. */
const bookkeeping: ReadonlySet<string> = new Set([
  "turn_start",
  "turn_end",
  "queue_update",
  "session_info_changed",
  "thinking_level_changed",
  "summarization_retry_attempt_start",
  "summarization_retry_finished",
  "bash_execution_update",
]);
