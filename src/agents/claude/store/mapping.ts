import { asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../../contract.js";
import { type ClaudeStream, createClaudeStream } from "../../shared/claude-stream/mapping.js";
import { claudeDialect } from "../mapping.js";
import { claudeTodoTools } from "../todos.js";
import { housekeeping, systemNotices } from "./line-types.js";
import { createStoredNumbers, type StoredNumbers } from "./numbers.js";
import { readNotification, readUserLine } from "./prompts.js";
import { createSubagentLines, type SubagentLines } from "./subagent-lines.js";
import { createStoredTurns, exhausted, type StoredTurns } from "./turns.js";

type Handle = (record: JsonObject, out: Sink) => void;

/** What is known about the session so far, and the slash command that may become a prompt. */
interface Known {
  cwd?: string | undefined;
  model?: string | undefined;
  isAnnounced?: true;
  command?: string | undefined;
}

interface Parts {
  stream: ClaudeStream;
  subagents: SubagentLines;
  numbers: StoredNumbers;
  turns: StoredTurns;
  known: Known;
}

/**
 * The file of a session (2.1.197 and 2.1.325). Its `user` and `assistant` lines are those of the stream with other names of fields, so they are
 * read as a stream. What only a stream has follows from the lines.
 */
export function createClaudeStoreMapping(options: TranslatorOptions = {}): Mapping {
  const stream = createClaudeStream(claudeDialect, options);
  const numbers = createStoredNumbers();
  const turns = createStoredTurns(stream, numbers);
  const parts: Parts = { stream, numbers, turns, subagents: createSubagentLines(), known: {} };
  const { known, subagents } = parts;
  const lines: Readonly<Record<string, Handle>> = { ...talkIn(parts), ...noticesIn(parts) };

  return {
    record(record, out) {
      out.identify(asText(record["sessionId"]));
      if (record["isSidechain"] !== true) known.cwd ??= asText(record["cwd"]);
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(lines, type)) return lines[type]?.(record, out);
      const about = housekeeping.get(type);
      if (about !== undefined) return out.consume(`${type}: ${about}`);
      if (type === "" && asText(record["agentType"]) !== undefined) {
        subagents.described(record);
        out.consume("the description of a subagent");
      }
    },
    flush: (out) => turns.end("file", out),
    todoTools: claudeTodoTools,
  };
}

/** `user` and `assistant` lines. */
function talkIn({ stream, subagents, numbers, turns, known }: Parts): Readonly<Record<string, Handle>> {
  /** The call that has started the subagent of a line. Undefined on lines of the main thread. */
  function threadOf(record: JsonObject, out: Sink): string | undefined {
    if (record["isSidechain"] !== true) return undefined;
    const { callId, agentId, agentType, isNew } = subagents.of(record);
    if (isNew && agentId !== undefined) stream.record(taskStarted(agentId, callId, agentType), out);
    return callId;
  }

  /** Something in the background has ended: a subagent perhaps. Claude Code begins a turn by itself. */
  function notified(text: string, out: Sink): void {
    const { taskId, status } = readNotification(text);
    turns.begin(undefined, out);
    if (taskId !== undefined && status !== undefined)
      stream.record({ type: "system", subtype: "task_notification", task_id: taskId, status }, out);
  }

  return {
    user(record, out) {
      const thread = threadOf(record, out);
      const line = thread === undefined ? readUserLine(record) : undefined;
      if (line?.kind === "prompt") {
        known.command = undefined;
        turns.begin(line.text, out);
        return out.consume("user: a prompt");
      }
      if (line?.kind === "command") {
        known.command = line.text;
        return out.consume("user: a command");
      }
      if (line?.kind === "printed") return out.consume("user: what a command of the user printed");
      if (line?.kind === "notification") notified(line.text, out);
      if (thread === undefined) turns.wentOn();
      stream.record(toStream(record, thread), out);
      if (line?.kind === "interruption") turns.end("interrupted", out);
    },
    assistant(record, out) {
      const thread = threadOf(record, out);
      const message = asObject(record["message"]) ?? {};
      const error = errorIn(record);
      const isOwn = message["model"] === "<synthetic>" && error === undefined;
      const isIdle = out.live.turnId === undefined;
      if (isOwn && isIdle) return out.consume("assistant: nothing was asked");
      if (thread === undefined && (isIdle || known.command !== undefined)) {
        turns.begin(known.command, out);
        known.command = undefined;
      }
      if (thread === undefined) announce(record, known, stream, out);
      subagents.called(record);
      numbers.message(record, thread, out);
      stream.record(toStream(error === undefined ? record : { ...record, error }, thread), out);
      if (thread !== undefined) return;
      if (!isOwn) turns.answered(message);
      if (error !== undefined && out.run.failure !== undefined)
        out.run.failure.status = asNumber(record["apiErrorStatus"]);
    },
  };
}

/** Lines that Claude Code adds for itself and its user. */
function noticesIn({ stream, subagents, numbers, turns, known }: Parts): Readonly<Record<string, Handle>> {
  return {
    system(record, out) {
      const subtype = asText(record["subtype"]) ?? "";
      if (subtype === "turn_duration") {
        turns.lasted(asNumber(record["durationMs"]));
        return out.consume("system/turn_duration");
      }
      if (subtype === "api_error") return stream.record(toRetry(record), out);
      const notice = systemNotices.get(subtype);
      if (notice !== undefined) return out.consume(`system/${subtype}: ${notice}`);
      stream.record(toStream(record, undefined), out);
    },
    attachment(record, out) {
      const attachment = asObject(record["attachment"]) ?? {};
      const type = asText(attachment["type"]) ?? "";
      if (type === "model") known.model ??= asText(asObject(attachment["identity"])?.["modelId"]);
      if (type === "structured_output") out.run.output = attachment["data"];
      if (type === "max_turns_reached") exhausted(attachment, out);
      const steered = type === "queued_command" ? asText(attachment["prompt"]) : undefined;
      if (steered !== undefined && attachment["commandMode"] !== "task-notification")
        return out.emit({ type: "agent", role: "user", message: steered });
      out.consume(`attachment/${type}: context for the model`);
    },
    progress(record, out) {
      subagents.progressed(record);
      out.consume("progress: its messages are lines of their own");
    },
    "cost-state"(record, out) {
      numbers.total(record);
      out.consume("cost-state");
    },
  };
}

/** Emits `session` when the agent answers for the first time, and when the model changes. */
function announce(record: JsonObject, known: Known, stream: ClaudeStream, out: Sink): void {
  const named = asText(asObject(record["message"])?.["model"]);
  if (named !== undefined && named !== "<synthetic>") known.model = named;
  if (known.isAnnounced) return known.model === undefined ? undefined : out.session({ model: known.model });
  known.isAnnounced = true;
  const { cwd = null, model = null } = known;
  const version = record["version"] ?? null;
  stream.record({ type: "system", subtype: "init", cwd, model, claude_code_version: version }, out);
}

/** A line as a record of the stream, together with the call that its subagent was started by. */
function toStream({ toolUseResult, ...rest }: JsonObject, parentCallId: string | undefined): JsonObject {
  return { ...rest, tool_use_result: toolUseResult ?? null, parent_tool_use_id: parentCallId ?? null };
}

/** The code of an error that Claude Code itself reports. Older versions only mark the line. */
function errorIn(record: JsonObject): string | undefined {
  return asText(record["error"]) ?? (record["isApiErrorMessage"] === true ? "api_error" : undefined);
}

function taskStarted(agentId: string, callId: string, agentType: string | undefined): JsonObject {
  return {
    type: "system",
    subtype: "task_started",
    task_type: "local_agent",
    task_id: agentId,
    tool_use_id: callId,
    subagent_type: agentType ?? null,
    is_backgrounded: false,
  };
}

/** A request that will be asked again, as the stream reports it. */
function toRetry(record: JsonObject): JsonObject {
  const error = asObject(record["error"]) ?? {};
  return {
    type: "system",
    subtype: "api_retry",
    error: asText(error["formatted"]) ?? asText(error["message"]) ?? null,
    attempt: record["retryAttempt"] ?? null,
    max_retries: record["maxRetries"] ?? null,
    retry_delay_ms: record["retryInMs"] ?? null,
  };
}
