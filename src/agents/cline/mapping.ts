import { asObject, asText, firstText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type { Mapping, Sink } from "../contract.js";
import { isWholeRecord } from "../shared/whole-record.js";
import { createAgentEvents, updateRule } from "./agent-events.js";
import { createCalls } from "./calls.js";
import { createLegacy } from "./legacy.js";
import { createMistakes } from "./mistakes.js";
import { createPlainEvents } from "./plain-events.js";
import { createResult } from "./result.js";
import { createSpeech } from "./speech.js";
import { createSubagents } from "./subagents.js";
import { createTeamEvents } from "./team.js";
import { teamTask } from "./todos.js";
import { createUsage } from "./usage.js";
import { createWorkers } from "./workers.js";

/**
 * Cline `--json` (recorded with 3.0.65) in both dialects, in-process and hub daemon, and the flat stream of older
 * versions. No line holds the id of the session: `taskId` names a conversation in memory.
 */
export function createClineMapping(): Mapping {
  const subagents = createSubagents();
  const mistakes = createMistakes();
  const usage = createUsage();
  const speech = createSpeech();
  const calls = createCalls({ subagents, mistakes });
  const agentEvents = createAgentEvents({ speech, calls, usage, mistakes });
  const workers = createWorkers(subagents);
  const plain = createPlainEvents({ workers, subagents, agentEvents });
  const result = createResult({ workers, usage, mistakes });
  const legacy = createLegacy();
  let complaint: string | undefined;

  const records: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    hook_event: plain.hook,
    agent_event(record, out) {
      const event = asObject(record["event"]);
      if (event !== undefined) plain.read(event, record, out);
    },
    team_event: createTeamEvents({ subagents, workers, plain, agentEvents }),
    /** Printed only with `--verbose`. */
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
      const speaker = plain.speaker();
      if (speaker === undefined) return false;
      speech.text(delta, speaker, out);
      return true;
    },
    record(record, out) {
      out.identify(firstText(record, ["sessionId", "session_id", "id"]));
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
    },
    diagnostic(line) {
      const message = messageOf(line);
      if (message !== undefined && !message.startsWith("hook dispatch failed")) complaint = message;
    },
    flush(out) {
      plain.flush(out);
      speech.flush(out);
      legacy.flush(out);
      result.flush(complaint, out);
    },
    todoTools: { team_task: teamTask },
  };
}

/** Follows `{"ts":"2026-11-15T18:12:32.564Z",`, whose length never changes. */
const updateHead = '"type":"agent_event","event":{"type":"content_update",';
const updateHeadAt = 33;

function isUpdate(line: string): boolean {
  return line.startsWith(updateHead, updateHeadAt) && line.startsWith('{"ts":"') && isWholeRecord(line);
}

/**
 * The delta of a line that also repeats the whole message so far (in-process dialect). Parsing the message for every
 * delta would be quadratic in its length.
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

/** Cline's own errors on standard error: `{"ts": …, "type": "error", "message": …}`. */
function messageOf(line: string): string | undefined {
  const record = line.startsWith("{") ? asObject(parseJson(line)) : undefined;
  return record?.["type"] === "error" ? asText(record["message"]) : undefined;
}
