import { asInteger, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink } from "../contract.js";
import { endCall, startCalls } from "./calls.js";
import { createOwnErrors } from "./own-errors.js";
import { todoTool } from "./tools.js";

type Handle = (record: JsonObject, out: Sink) => void;

/**
 * `kimi --output-format stream-json` (recorded with 2.1.0): the messages of a chat, by their role, and records of the role
 * `meta`. A run that ends well prints how it can be resumed, and nothing after that.
 */
export function createKimiMapping(): Mapping {
  return {
    record(record, out) {
      const role = asText(record["role"]) ?? "";
      if (record["type"] === "goal.summary") goalSummary(record, out);
      else if (Object.hasOwn(roles, role)) roles[role]?.(record, out);
    },
    diagnostic: createOwnErrors(),
    todoTools: { TodoList: todoTool },
  };
}

const roles: Readonly<Record<string, Handle>> = {
  meta(record, out) {
    const type = asText(record["type"]) ?? "";
    if (Object.hasOwn(metaRecords, type)) metaRecords[type]?.(record, out);
  },
  assistant(record, out) {
    const message = asText(record["content"]);
    if (message !== undefined && message.trim() !== "") {
      out.run.text = message;
      out.emit({ type: "agent", message });
    }
    startCalls(record, out);
  },
  tool: endCall,
};

const metaRecords: Readonly<Record<string, Handle>> = {
  "system.version"(record, out) {
    out.run.agentVersion = asText(record["version"]);
    out.session({});
  },
  /** Kimi does not print the answer that was cut. */
  "turn.step.retrying"(record, out) {
    const attempt = asInteger(record["next_attempt"]);
    const most = asInteger(record["max_attempts"]);
    const which = attempt === undefined || most === undefined ? "" : ` (attempt ${attempt} of ${most})`;
    const cause = asText(record["error_message"]) ?? "no reason given";
    out.emit({
      type: "warning",
      message: `the request is tried again${which}: ${cause}`,
      code: asText(record["error_name"]),
    });
  },
  /** It is also printed if a goal was not reached. */
  "session.resume_hint"(record, out) {
    const { run } = out;
    out.identify(asText(record["session_id"]));
    run.terminal = run.failure?.code === goalCode ? "failure" : "success";
    run.terminalLine = out.lineNumber;
    if (run.terminal === "success") run.failure = undefined;
    out.consume("session.resume_hint: the run came to its end");
  },
};

const goalCode = "goal";

/** How a prompt that begins with `/goal` ended. The exit code is 0 only if the goal is complete. */
function goalSummary(record: JsonObject, out: Sink): void {
  const status = asText(record["status"]);
  if (status === undefined || status === "complete") return out.consume("goal.summary: complete");
  const reason = asText(record["reason"]);
  const message = `the goal is ${status}${reason === undefined ? "" : `: ${reason}`}`;
  out.run.failure = { message, code: goalCode, kind: "unknown", isReported: true };
  out.emit({ type: "error", message, code: goalCode });
}
