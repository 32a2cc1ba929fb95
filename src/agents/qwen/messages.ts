import { asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink } from "../contract.js";
import { withdrawnMessage } from "../shared/withdrawn-text.js";
import { type AnswerFailure, failureInAnswer, isFailurePiece } from "./failure-in-answer.js";
import { createSplitMessages } from "./split-messages.js";
import { callOfTask, type QwenSubagents } from "./subagents.js";
import { qwenTokens } from "./usage.js";

/** What the model says and calls, whole and in pieces. */
export interface Messages {
  assistant(record: JsonObject, out: Sink): void;
  user(record: JsonObject, out: Sink): void;
  streamEvent(record: JsonObject, out: Sink): void;
  /** `system/retry`: the model is asked again. */
  retry(record: JsonObject, out: Sink): void;
  /** The failure that the last answer reports as text. */
  readonly failure: AnswerFailure | undefined;
}

export function createMessages(stream: Mapping, subagents: QwenSubagents): Messages {
  const splits = createSplitMessages();
  let failure: AnswerFailure | undefined;
  /** The model has said something since it was asked. */
  let hasSpoken = false;
  /** No whole message contains its last words yet. */
  let isStreaming = false;

  return {
    assistant(record, out) {
      const parentCallId = asText(record["parent_tool_use_id"]);
      const isMain = parentCallId === undefined;
      const whole = splits.named(record);
      hasSpoken ||= isMain;
      isStreaming &&= !isMain;
      failure = isMain ? failureInAnswer(record) : failure;
      if (!isMain || failure === undefined) stream.record(whole, out);
      else emitFailure(failure, whole, stream, out);
      const tokens = qwenTokens(asObject(record["message"])?.["usage"]);
      if (tokens?.totalTokens) out.emit({ type: "usage", parentCallId, ...tokens, scope: "step" });
    },
    user(record, out) {
      const callId = callOfTask(record);
      hasSpoken &&= asText(record["parent_tool_use_id"]) !== undefined;
      if (callId !== undefined) subagents.asked(callId, out);
      stream.record(record, out);
    },
    streamEvent(record, out) {
      const announced = splits.announce(record);
      if (announced !== undefined) stream.record(announced, out);
      const piece = asText(asObject(asObject(record["event"])?.["delta"])?.["text"]);
      hasSpoken ||= piece !== undefined;
      isStreaming ||= piece !== undefined;
      if (piece !== undefined && isFailurePiece(piece))
        return out.consume("stream_event: a failure that the whole message repeats");
      stream.record(record, out);
    },
    /** Standard error reports every retry (0.24.4). Only this record says whether the text so far stays. */
    retry(record, out) {
      const stays = asFlag(asObject(record["data"])?.["preserveText"]) !== false;
      if (stays || !hasSpoken) return out.consume("system/retry: standard error reports it");
      hasSpoken = false;
      // The record that Claude Code prints if it abandons a message.
      const abandoned = { type: "stream_event", event: { type: "message_stop" }, abandoned_blocks: {} };
      if (isStreaming) stream.record(abandoned, out);
      else out.emit({ type: "warning", code: "text_withdrawn", message: withdrawnMessage });
      isStreaming = false;
    },
    get failure() {
      return failure;
    },
  };
}

/** The text that came before the failure is a message, the failure is an error. */
function emitFailure(failure: AnswerFailure, record: JsonObject, stream: Mapping, out: Sink): void {
  const { before, message, status, kind } = failure;
  const content = [{ type: "text", text: before }];
  if (before.trim() !== "")
    stream.record({ ...record, message: { ...asObject(record["message"]), content } }, out);
  out.run.failure = { message, status, kind, isReported: true };
  out.emit({ type: "error", message });
}
