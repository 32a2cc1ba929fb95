import { asObject, asText, firstText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Mapping, Sink } from "../contract.js";
import { isWholeRecord } from "../shared/whole-record.js";
import { createAgentEvents, updateRule } from "./agent-events.js";
import { createLegacy } from "./legacy.js";
import { createMistakes } from "./mistakes.js";
import { type Complaint, createResult } from "./result.js";
import { createSpeech } from "./speech.js";
import { createSubagents } from "./subagents.js";
import { createTeamEvents } from "./team.js";
import { createToolCalls } from "./tool-calls.js";
import { createUsage } from "./usage.js";

/**
 * Cline `--json` (recorded with 3.0.65), both dialects: run in the process itself and run by the hub daemon;
 * and the flat stream of older versions. No line carries the id of the session: `taskId` names a conversation
 * in memory.
 */
export function createClineMapping(): Mapping {
  const subagents = createSubagents();
  const mistakes = createMistakes();
  const usage = createUsage();
  const speech = createSpeech();
  const calls = createToolCalls({ subagents, mistakes });
  const agentEvents = createAgentEvents({ speech, calls, usage, mistakes });
  const result = createResult({ subagents, usage, mistakes });
  const legacy = createLegacy();
  let complaint: Complaint | undefined;

  const records: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    hook_event: subagents.hook,
    agent_event(record, out) {
      const event = asObject(record["event"]);
      if (event === undefined) return;
      if (event["type"] === "iteration_start") subagents.iterationStarted(out);
      agentEvents(event, { author: subagents.author(), native: record }, out);
    },
    team_event: createTeamEvents({ subagents, agentEvents }),
    /** Only with `--verbose`. */
    run_start: (record, out) => out.session({ model: asText(record["modelId"]) }),
    run_abort_requested: (_record, out) => out.consume("run_abort_requested: run_aborted follows"),
    run_result: result.result,
    run_aborted: result.aborted,
    team_restored: (_record, out) => out.consume("team_restored"),
    say: legacy.record,
    ask: legacy.record,
  };

  return {
    skip: (line) => (isUpdate(line) ? updateRule : undefined),
    raw(line, out) {
      const delta = deltaOf(line);
      if (delta === undefined) return false;
      speech.text(delta, subagents.author(), out);
      return true;
    },
    record(record, out) {
      out.identify(firstText(record, ["sessionId", "session_id", "id"]));
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
    },
    diagnostic(line, out) {
      const message = messageOf(line);
      if (message === undefined || message.startsWith("hook dispatch failed")) return;
      complaint = { message, line: out.lineNumber };
    },
    flush(out) {
      speech.flush(out);
      legacy.flush(out);
      result.flush(complaint, out);
    },
  };
}

/** Behind `{"ts":"2026-11-15T18:12:32.564Z",`, which is always as long. */
const updateHead = '"type":"agent_event","event":{"type":"content_update",';
const updateHeadAt = 33;

function isUpdate(line: string): boolean {
  return line.startsWith(updateHead, updateHeadAt) && line.startsWith('{"ts":"') && isWholeRecord(line);
}

/**
 * The delta of a line that repeats the whole message so far behind it (in-process dialect): parsing that for
 * every delta would be quadratic in the length of the message.
 */
function deltaOf(line: string): string | undefined {
  const match = textDelta.exec(line);
  const delta =
    match?.[1] === undefined || !line.endsWith('"}}') || !isWholeRecord(line)
      ? undefined
      : parseJson(match[1]);
  return typeof delta === "string" ? delta : undefined;
}

const textDelta =
  /^\{"ts":"[^"\\]{1,40}","type":"agent_event","event":\{"type":"content_start","contentType":"text","text":("[^"\\]*(?:\\.[^"\\]*)*"),"accumulated":"/;

/** Cline's own words on standard error: `{"ts": …, "type": "error", "message": …}`. */
function messageOf(line: string): string | undefined {
  const record = line.startsWith("{") ? asObject(parseJson(line)) : undefined;
  return record?.["type"] === "error" ? asText(record["message"]) : undefined;
}
