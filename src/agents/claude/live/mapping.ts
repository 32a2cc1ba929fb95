import { asNumber, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../../contract.js";
import { createClaudeStream } from "../../shared/claude-stream/mapping.js";
import { claudeDialect } from "../mapping.js";
import { claudeTodoTools } from "../todos.js";
import { readAnswer, readRecord, readRequest } from "./control.js";
import { createPrompts, readPrompt } from "./prompts.js";
import { createRequests, planTool, questionTool } from "./requests.js";
import { createTurnNumbers } from "./usage.js";

type Handle = (record: JsonObject, out: Sink) => void;

/** Tools that other events stand for: requests and plans. */
const silentTools: ReadonlySet<string> = new Set([
  ...claudeDialect.silentTools,
  ...Object.keys(claudeTodoTools),
  questionTool,
  planTool,
  "EnterPlanMode",
]);

/**
 * Claude Code with `--input-format stream-json` (2.1.197 and 2.1.325). What it prints is the stream of one-shot runs, where
 * `init … result` is repeated for every turn, and control records in between.
 */
export function createClaudeLiveMapping(options: TranslatorOptions = {}): Mapping {
  const stream = createClaudeStream({ ...claudeDialect, silentTools }, options);
  const { directoryOf } = stream;
  const requests = createRequests({ workspace: options.cwd, directoryOf });
  const prompts = createPrompts();
  const numbers = createTurnNumbers();
  let isInterruptAsked = false;

  /** Nobody has sent a prompt for this turn just now: it answers prompts that waited, or Claude Code goes on by itself. */
  function beginOwnTurn(out: Sink): void {
    if (out.live.turnId !== undefined) return;
    isInterruptAsked = false;
    const texts = prompts.began().flatMap(({ text }) => text ?? []);
    if (texts.length === 0) out.live.beginTurn({ origin: "agent" });
    else out.live.beginTurn({ prompt: texts.join("\n\n") });
  }

  function isInterrupted(result: JsonObject): boolean {
    if (abortedReasons.has(asText(result["terminal_reason"]))) return true;
    return isInterruptAsked && result["subtype"] === "error_during_execution";
  }

  /** The end of a turn. An interrupted one is not a failure, and what Claude Code prints about it is not for people. */
  function endTurn(result: JsonObject, out: Sink): void {
    const wasInterrupted = isInterrupted(result);
    if (wasInterrupted) stream.flush(out);
    const { text } = out.run;
    stream.record(wasInterrupted ? { ...result, ...withoutFailure } : result, out);
    const { usage, costUsd } = numbers.take();
    out.run.usage = usage && { ...usage, line: out.lineNumber };
    out.run.costUsd = costUsd;
    const isAnswered = out.run.terminal === "success" && !wasInterrupted;
    out.run.text = (isAnswered ? asText(result["result"]) : undefined) ?? text;
    const durationMs = asNumber(result["duration_ms"]);
    out.live.endTurn({ durationMs, ...(wasInterrupted && { isInterrupted: true }) });
  }

  const systemRecords: Readonly<Record<string, Handle>> = {
    init: (_record, out) => beginOwnTurn(out),
    task_started: (record) => requests.taskStarted(record),
  };

  const records: Readonly<Record<string, Handle>> = {
    control_request(record, out) {
      const request = readRequest(record);
      if (request === undefined || requests.asked(request, out)) return;
      if (clientRequests.has(request.subtype)) out.consume(`control_request/${request.subtype}`);
    },
    control_cancel_request(record, out) {
      out.consume("control_cancel_request: nothing was open");
      requests.withdrawn(asText(record["request_id"]), out);
    },
    control_response: (_record, out) => out.consume("control_response"),
    conversation_reset: (_record, out) => out.consume("conversation_reset"),
    system(record, out) {
      const subtype = asText(record["subtype"]) ?? "";
      if (Object.hasOwn(systemRecords, subtype)) systemRecords[subtype]?.(record, out);
      stream.record(record, out);
    },
    user(record, out) {
      requests.returned(record, out);
      stream.record(record, out);
    },
    result(record, out) {
      const isAnswer = prompts.isAnsweredBy(record);
      prompts.received(record);
      numbers.add(record);
      if (out.live.turnId !== undefined && isAnswer) return endTurn(record, out);
      if (out.live.turnId === undefined && isFailure(record)) return stream.record(record, out);
      out.run.text = undefined;
      out.consume("result: the prompt of the open turn still waits");
    },
  };

  const sentRecords: Readonly<Record<string, Handle>> = {
    user(record, out) {
      const prompt = readPrompt(record);
      if (prompt === undefined) return;
      if (out.live.turnId === undefined) {
        isInterruptAsked = false;
        prompts.opened(prompt);
        return out.live.beginTurn({ prompt: prompt.text, origin: "user" });
      }
      prompts.queued(prompt);
      if (prompt.text !== undefined) out.emit({ type: "agent", role: "user", message: prompt.text });
    },
    control_request(record, out) {
      const request = readRequest(record);
      if (request !== undefined) prompts.requested(request);
      if (request?.subtype !== "interrupt") return;
      isInterruptAsked = true;
      out.live.interruptTurn();
    },
    control_response(record, out) {
      const answer = readAnswer(record);
      if (answer !== undefined) requests.answered(answer, out);
    },
  };

  return {
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      if (type !== "result") prompts.received(record);
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
      else stream.record(record, out);
    },
    sent(line, out) {
      const record = readRecord(line);
      const type = asText(record?.["type"]) ?? "";
      if (record !== undefined && Object.hasOwn(sentRecords, type)) sentRecords[type]?.(record, out);
    },
    flush: stream.flush,
    todoTools: claudeTodoTools,
  };
}

/** What is asked of the client itself. It concerns no person. */
const clientRequests: ReadonlySet<string> = new Set(["hook_callback", "mcp_message"]);

const abortedReasons: ReadonlySet<string | undefined> = new Set(["aborted_tools", "aborted_streaming"]);

const withoutFailure = { subtype: "success", is_error: false, result: null };

function isFailure(result: JsonObject): boolean {
  return result["is_error"] === true;
}
