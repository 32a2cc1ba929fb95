import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../../contract.js";
import { createClaudeStream } from "../../shared/claude-stream/mapping.js";
import { claudeDialect } from "../mapping.js";
import { claudeTodoTools } from "../todos.js";
import { readAnswer, readRecord, readRequest } from "./control.js";
import { createClaudeRequests, planTool, questionTool } from "./requests.js";
import { createClaudeTurns } from "./turns.js";

type Handle = (record: JsonObject, out: Sink) => void;

/** Tools that other events stand for: requests and plans. */
const silentTools: ReadonlySet<string> = new Set([
  ...claudeDialect.silentTools,
  ...Object.keys(claudeTodoTools),
  questionTool,
  planTool,
  "EnterPlanMode",
]);

/** What is asked of the client itself. It concerns no person. */
const clientRequests: ReadonlySet<string> = new Set(["hook_callback", "mcp_message"]);

/**
 * Claude Code with `--input-format stream-json` (2.1.197 and 2.1.325). What it prints is the stream of one-shot runs, where
 * `init … result` is repeated for every turn, and control records in between.
 */
export function createClaudeLiveMapping(options: TranslatorOptions = {}): Mapping {
  const stream = createClaudeStream({ ...claudeDialect, silentTools }, options);
  const requests = createClaudeRequests({ workspace: options.cwd, directoryOf: stream.directoryOf });
  const turns = createClaudeTurns(stream);

  const received: Readonly<Record<string, Handle>> = {
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
      if (record["subtype"] === "task_started") requests.taskStarted(record);
      stream.record(record, out);
    },
    user(record, out) {
      requests.returned(record, out);
      stream.record(record, out);
    },
    result: turns.ended,
  };

  const sent: Readonly<Record<string, Handle>> = {
    user: turns.prompted,
    control_request(record, out) {
      const request = readRequest(record);
      if (request !== undefined) turns.requested(request, out);
    },
    control_response(record, out) {
      const answer = readAnswer(record);
      if (answer !== undefined) requests.answered(answer, out);
    },
  };

  return {
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      if (type !== "result") turns.received(record, out);
      if (Object.hasOwn(received, type)) received[type]?.(record, out);
      else stream.record(record, out);
    },
    sent(line, out) {
      const record = readRecord(line);
      const type = asText(record?.["type"]) ?? "";
      if (record !== undefined && Object.hasOwn(sent, type)) sent[type]?.(record, out);
    },
    flush: stream.flush,
    todoTools: claudeTodoTools,
  };
}
