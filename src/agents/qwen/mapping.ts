import { asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../contract.js";
import type { Dialect } from "../shared/claude-stream/dialect.js";
import { createClaudeStream } from "../shared/claude-stream/mapping.js";
import { readingPartials, readQwenPartial } from "../shared/claude-stream/quiet-partials.js";
import { wholeList } from "../shared/todos.js";
import { type AnswerFailure, parseFailure } from "./failure-in-answer.js";
import { createMessages } from "./messages.js";
import { createShell } from "./shell.js";
import { createQwenSubagents } from "./subagents.js";
import { quietTools, qwenTools, subagentTool } from "./tools.js";
import { qwenTokens } from "./usage.js";

/** Qwen Code `--output-format stream-json` (recorded with 0.15.10 and 0.24.4): Claude Code's shape with differences. */
export function createQwenMapping({ isResumed = false, ...options }: TranslatorOptions = {}): Mapping {
  const shell = createShell();
  const subagents = createQwenSubagents();
  const dialect: Dialect = {
    tools: qwenTools,
    subagentTools: new Set(),
    silentTools: quietTools,
    isUnknownOnce: true,
    endCall(call, how, out) {
      if (qwenTools[call.name]?.as === "shell" && call.operations?.length) return shell.end(call, how, out);
      out.finish(call, how);
      if (call.name === subagentTool) subagents.returned(call, how, out);
    },
  };
  const stream = createClaudeStream(dialect, options);
  const messages = createMessages(stream, subagents);

  const systemRecords: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    init(record, out) {
      stream.record(record, out);
      const version = asText(record["qwen_code_version"]);
      out.run.agentVersion = version;
      shell.identify(version);
    },
    task_started: (record, out) => subagents.started(record, out),
    task_notification: (record, out) => subagents.notified(record, out),
    retry: messages.retry,
  };

  const records: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    system(record, out) {
      const subtype = asText(record["subtype"]) ?? "";
      if (Object.hasOwn(systemRecords, subtype)) systemRecords[subtype]?.(record, out);
      else stream.record(record, out);
    },
    assistant: messages.assistant,
    user: messages.user,
    stream_event: messages.streamEvent,
    result(record, out) {
      const { failure } = messages;
      stream.record(resultOf(record, failure), out);
      if (out.run.failure !== undefined && failure?.kind !== undefined)
        out.run.failure = { ...out.run.failure, kind: failure.kind };
      const tokens = qwenTokens(record["usage"]);
      const scope = isResumed ? "session" : "run";
      out.run.usage = tokens && { ...tokens, scope, line: out.lineNumber };
    },
  };

  function read(record: JsonObject, out: Sink): void {
    if (record["subtype"] !== "task_started") subagents.settle(out);
    out.identify(asText(record["session_id"]));
    const type = asText(record["type"]) ?? "";
    if (Object.hasOwn(records, type)) records[type]?.(record, out);
    else stream.record(record, out);
  }

  return {
    raw: readingPartials(readQwenPartial, read),
    record: read,
    text(line, out) {
      if (messages.failure !== undefined || !cutSuccess.test(line)) return;
      out.run.terminal = "success";
      out.run.terminalLine = out.lineNumber;
    },
    flush(out) {
      subagents.settle(out);
      stream.flush?.(out);
    },
    todoTools: { todo_write: wholeList },
  };
}

/**
 * A `result` that was cut in the middle of its text. Qwen Code exits before a pipe has taken all of a long last line (0.15.10).
 * The text repeats the last message, so only the numbers are lost.
 */
const cutSuccess = /^\{"type":"result","subtype":"success",(?:"\w+":"[\w-]*",)*"is_error":false,/;

/** The `result` as Claude Code would print it. It is a failure if the last answer reported one as text. */
function resultOf(record: JsonObject, failed: AnswerFailure | undefined): JsonObject {
  if (failed !== undefined && asFlag(record["is_error"]) !== true) {
    return { ...record, is_error: true, result: failed.message, api_error_status: failed.status ?? null };
  }
  const message = asText(asObject(record["error"])?.["message"]);
  if (message === undefined) return record;
  const failure = parseFailure(message);
  return {
    ...record,
    errors: [failure?.message ?? message],
    api_error_status: failure?.status ?? failed?.status ?? null,
  };
}
