import { asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../contract.js";
import { createClaudeStream } from "../shared/claude-stream/mapping.js";
import { createShell } from "./shell.js";
import { createSplitMessages } from "./split-messages.js";
import { callOfTask, createQwenSubagents } from "./subagents.js";
import { failureToldBy, isFailurePiece, parseFailure, type ToldFailure } from "./told-failure.js";
import { quietTools, qwenTools, subagentTool } from "./tools.js";
import { qwenTokens } from "./usage.js";

/** Qwen Code `--output-format stream-json` (recorded with 0.15.10 and 0.24.4): Claude Code's shape with differences. */
export function createQwenMapping({ isResumed = false }: TranslatorOptions = {}): Mapping {
  const shell = createShell();
  const splits = createSplitMessages();
  const subagents = createQwenSubagents();
  let told: ToldFailure | undefined;
  /** The model has said something since it was asked. */
  let hasSpoken = false;

  const stream = createClaudeStream({
    tools: qwenTools,
    subagentTools: new Set(),
    silentTools: quietTools,
    isUnknownOnce: true,
    endCall(call, how, out) {
      if (qwenTools[call.name]?.as === "shell" && call.operations?.length) return shell.end(call, how, out);
      out.finish(call, how);
      if (call.name === subagentTool) subagents.returned(call, how, out);
    },
  });

  const systemRecords: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    init(record, out) {
      stream.record(record, out);
      const version = asText(record["qwen_code_version"]);
      out.run.agentVersion = version;
      shell.identify(version);
    },
    task_started: (record, out) => subagents.started(record, out),
    task_notification: (record, out) => subagents.notified(record, out),
    /** Standard error tells every retry (0.24.4). Only this record says if what the model has said so far stays. */
    retry(record, out) {
      const stays = asFlag(asObject(record["data"])?.["preserveText"]) !== false;
      if (stays || !hasSpoken) return out.consume("system/retry: standard error tells it");
      hasSpoken = false;
      out.emit({ type: "warning", code: "withdrawn", message: withdrawn });
    },
  };

  const records: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    system(record, out) {
      const subtype = asText(record["subtype"]) ?? "";
      if (Object.hasOwn(systemRecords, subtype)) systemRecords[subtype]?.(record, out);
      else stream.record(record, out);
    },
    assistant(record, out) {
      const isMain = asText(record["parent_tool_use_id"]) === undefined;
      const whole = splits.named(record);
      hasSpoken ||= isMain;
      told = isMain ? failureToldBy(record) : told;
      if (!isMain || told === undefined) stream.record(whole, out);
      else tellFailure(told, whole, stream, out);
      const tokens = qwenTokens(asObject(record["message"])?.["usage"]);
      if (tokens?.totalTokens) out.emit({ type: "usage", ...tokens, scope: "step" });
    },
    user(record, out) {
      const callId = callOfTask(record);
      hasSpoken &&= asText(record["parent_tool_use_id"]) !== undefined;
      if (callId !== undefined) subagents.asked(callId, out);
      stream.record(record, out);
    },
    stream_event(record, out) {
      const announced = splits.announce(record);
      if (announced !== undefined) stream.record(announced, out);
      const piece = asText(asObject(asObject(record["event"])?.["delta"])?.["text"]);
      hasSpoken ||= piece !== undefined;
      if (piece !== undefined && isFailurePiece(piece))
        return out.consume("stream_event: a failure that the whole message repeats");
      stream.record(record, out);
    },
    result(record, out) {
      stream.record(resultOf(record, told), out);
      if (out.run.failure !== undefined && told?.kind !== undefined)
        out.run.failure = { ...out.run.failure, kind: told.kind };
      const tokens = qwenTokens(record["usage"]);
      const scope = isResumed ? "session" : "run";
      out.run.usage = tokens && { ...tokens, scope, line: out.lineNumber };
    },
  };

  return {
    record(record, out) {
      if (record["subtype"] !== "task_started") subagents.settle(out);
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
      else stream.record(record, out);
    },
    text(line, out) {
      if (told !== undefined || !cutSuccess.test(line)) return;
      out.run.terminal = "success";
      out.run.terminalLine = out.lineNumber;
    },
    flush(out) {
      subagents.settle(out);
      stream.flush?.(out);
    },
  };
}

/**
 * A `result` that ends in its text. Qwen Code exits before a pipe has taken all of a long last line (0.15.10). The text is that
 * of the last message, so nothing but the numbers is lost.
 */
const cutSuccess = /^\{"type":"result","subtype":"success",(?:"\w+":"[\w-]*",)*"is_error":false,/;

/** The text that came before the failure is a message, the failure is an error. */
function tellFailure(told: ToldFailure, record: JsonObject, stream: Mapping, out: Sink): void {
  const { before, message, status, kind } = told;
  const content = [{ type: "text", text: before }];
  if (before.trim() !== "")
    stream.record({ ...record, message: { ...asObject(record["message"]), content } }, out);
  out.run.failure = { message, status, kind, isReported: true };
  out.emit({ type: "error", message });
}

/** The `result` as Claude Code would print it: a failure that was told as an answer is one. */
function resultOf(record: JsonObject, told: ToldFailure | undefined): JsonObject {
  if (told !== undefined && asFlag(record["is_error"]) !== true) {
    return { ...record, is_error: true, result: told.message, api_error_status: told.status ?? null };
  }
  const message = asText(asObject(record["error"])?.["message"]);
  if (message === undefined) return record;
  const failure = parseFailure(message);
  return {
    ...record,
    errors: [failure?.message ?? message],
    api_error_status: failure?.status ?? told?.status ?? null,
  };
}

const withdrawn = "the model is asked again, and what it has said in this answer is withdrawn";
