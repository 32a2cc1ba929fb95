import { asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../contract.js";
import { isWholeRecord } from "../shared/whole-record.js";
import { createCalls } from "./calls.js";
import { createResult } from "./result.js";
import { createSpeech } from "./speech.js";
import { createSubagents } from "./subagents.js";
import { todoTool } from "./todos.js";

type Handle = (record: JsonObject, out: Sink, parentCallId: string | undefined) => void;

/**
 * `copilot --output-format json` (recorded with 1.0.102). A record is `{type, data, …}`; those of subagents have an
 * `agentId`. Only the last record, `result`, has no `data`.
 */
export function createCopilotMapping({ isResumed = false }: TranslatorOptions): Mapping {
  const calls = createCalls();
  const speech = createSpeech();
  const subagents = createSubagents();
  const result = createResult();
  let announced: { model: string | undefined } | undefined;

  function announce(model: string | undefined, out: Sink): void {
    if (announced !== undefined && (model === undefined || model === announced.model)) return;
    announced = { model };
    out.session({ model });
  }

  const records: Readonly<Record<string, Handle>> = {
    ...notices,
    "session.skills_loaded": calls.skillsLoaded,
    /** It comes first, and again whenever tools are added. The model that answers is in its messages. */
    "session.tools_updated"(record, out) {
      if (announced === undefined) announce(dataText(record, "model"), out);
      else out.consume("session.tools_updated");
    },
    "session.model_change"(record, out) {
      announce(dataText(record, "newModel"), out);
      out.consume("session.model_change");
    },
    "assistant.turn_start"(_record, out, parentCallId) {
      if (parentCallId === undefined) result.turnStarted();
      out.consume("assistant.turn_start");
    },
    "assistant.message_delta": (record, out, parent) => speech.delta(record, parent, out),
    "assistant.message"(record, out, parentCallId) {
      // A message without its text stays `unknown`, so it must not pass for the announcement of a model.
      if (typeof asObject(record["data"])?.["content"] !== "string") return;
      if (parentCallId === undefined) announce(dataText(record, "model"), out);
      speech.message(record, parentCallId, out);
    },
    "assistant.reasoning_delta": (record, out, parent) => speech.reasoningDelta(record, parent, out),
    "assistant.reasoning": (record, out, parent) => speech.reasoning(record, parent, out),
    "assistant.turn_end"(_record, out, parentCallId) {
      speech.close(parentCallId, out);
      out.consume("assistant.turn_end");
    },
    "tool.execution_start": (record, out, parent) => calls.start(record, parent, out),
    "tool.execution_complete": (record, out) => calls.complete(record, out),
    "subagent.started": subagents.started,
    "subagent.completed": subagents.ended,
    "subagent.failed": subagents.ended,
    "model.call_failure": (record, out) => result.callFailed(record, out),
    "assistant.turn_retry": (record, out, parent) =>
      result.retried(record, parent, speech.withdraw(parent), out),
    "session.error": (record, out, parent) => result.failed(record, parent, out),
    abort: (record, out, parent) => result.aborted(record, parent, out),
    result(record, out) {
      out.identify(asText(record["sessionId"]));
      result.result(record, isResumed, out);
    },
  };

  return {
    /** Half of all lines. A translation that does not parse them takes 17 % less time. */
    skip(line) {
      const type = leadingType(line);
      return type !== undefined && bookkeeping.has(type) && isWholeRecord(line) ? type : undefined;
    },
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      if (bookkeeping.has(type)) out.consume(type);
      else if (Object.hasOwn(records, type)) records[type]?.(record, out, subagents.parentOf(record));
    },
    diagnostic: result.diagnostic,
    flush(out) {
      speech.closeAll(out);
      result.flush(out);
    },
    todoTools: { sql: todoTool },
  };
}

const typeFirst = '{"type":"';

/** The type of a record that begins with it. */
function leadingType(line: string): string | undefined {
  if (!line.startsWith(typeFirst)) return undefined;
  const end = line.indexOf('"', typeFirst.length);
  return end === -1 ? undefined : line.slice(typeFirst.length, end);
}

function dataText(record: JsonObject, key: string): string | undefined {
  return asText(asObject(record["data"])?.[key]);
}

/** What Copilot says to its user besides the conversation. */
const notices: Readonly<Record<string, Handle>> = {
  "session.warning": (record, out) => notice(record, "warningType", out),
  /** Only what no other record reports. */
  "session.info"(record, out) {
    const kind = dataText(record, "infoType") ?? "";
    if (reportedElsewhere.has(kind)) return out.consume(`session.info: ${kind}`);
    notice(record, "infoType", out);
  },
  "hook.end"(record, out) {
    const data = asObject(record["data"]) ?? {};
    if (asFlag(data["success"]) !== false) return out.consume("hook.end: succeeded");
    const words = asText(asObject(data["error"])?.["message"]) ?? "no reason given";
    const name = asText(data["hookType"]) ?? "a hook";
    out.emit({ type: "warning", message: `hook ${name} failed: ${words}`, code: "hook_error" });
  },
  /** The last words of autopilot mode, which end the run. */
  "session.task_complete"(record, out) {
    const message = dataText(record, "summary");
    if (message === undefined) return out.consume("session.task_complete");
    out.run.text = message;
    out.emit({ type: "agent", message });
  },
};

/** `session.info` about a retry, the end of a run by a signal, and files that calls have written. */
const reportedElsewhere: ReadonlySet<string> = new Set(["model_retry", "cancellation", "file_created"]);

function notice(record: JsonObject, codeKey: string, out: Sink): void {
  const message = dataText(record, "message");
  if (message !== undefined) out.emit({ type: "warning", message, code: dataText(record, codeKey) });
}

/** Records about the session, and records that another one repeats whole. */
const bookkeeping: ReadonlySet<string> = new Set([
  "session.mcp_servers_loaded",
  "session.mcp_server_status_changed",
  "session.mcp_server_tools_loaded",
  "session.custom_agents_updated",
  "session.mode_notice_delivered",
  "session.background_tasks_changed",
  "session.todos_changed",
  "session.autopilot_stopped",
  "session.compaction_start",
  "session.compaction_complete",
  "system.notification",
  "user.message",
  "assistant.message_start",
  "assistant.tool_call_delta",
  "assistant.idle",
  "model.call_start",
  "model.call_finished",
  "model.call_final_result",
  "tool.execution_partial_result",
  "tool.execution_progress",
  "tool.shell_output",
  "subagent.configured",
  "subagent.selected",
  "subagent.deselected",
  "agent.interrupted",
  "hook.start",
]);
