import { asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import type { Author } from "./author.js";
import type { Mistakes } from "./mistakes.js";
import type { Speech } from "./speech.js";
import type { ToolCalls } from "./tool-calls.js";
import type { Usage } from "./usage.js";

/** Whose event it is, and the whole record that it came in. */
export interface Context {
  author: Author;
  native: JsonObject;
}

type Handle = (event: JsonObject, context: Context, out: Sink) => void;

/** The `event` of an `agent_event` record. What it does not know becomes `unknown`. */
export type AgentEvents = Handle;

export function createAgentEvents(parts: {
  speech: Speech;
  calls: ToolCalls;
  usage: Usage;
  mistakes: Mistakes;
}): AgentEvents {
  const { speech, calls, usage } = parts;

  const starts: Readonly<Record<string, Handle>> = {
    text: (event, { author }, out) => speech.text(asText(event["text"]) ?? "", author, out),
    reasoning: (event, { author }, out) => speech.reasoning(event, author, out),
    thinking: (event, { author }, out) => speech.reasoning(event, author, out),
    tool: calls.start,
  };

  const ends: Readonly<Record<string, Handle>> = {
    text: (event, { author }, out) => speech.textEnd(event, author, out),
    reasoning: (event, { author }, out) => speech.reasoningEnd(event, author, out),
    thinking: (event, { author }, out) => speech.reasoningEnd(event, author, out),
    tool: calls.end,
  };

  /** A failed call is reported as such and, in-process only, also as a recoverable error. */
  function error(event: JsonObject, { author: { isLead, parentCallId } }: Context, out: Sink): void {
    const message = asText(asObject(event["error"])?.["message"]) ?? asText(event["error"]);
    if (message === undefined) return;
    if (asFlag(event["recoverable"]) === true) {
      if (isLead && !/^\d+ tool call\(s\) failed: /.test(message)) parts.mistakes.made(message);
      return out.emit({ type: "warning", parentCallId, message });
    }
    const errorClass = asText(event["errorClass"]);
    const code = errorClass === "unknown" ? undefined : errorClass;
    if (isLead) out.run.failure = { message, code, isReported: true };
    out.emit({ type: "error", parentCallId, message, code });
  }

  const events: Readonly<Record<string, Handle>> = {
    iteration_start: (_event, _context, out) => out.consume("iteration_start"),
    iteration_end: (_event, _context, out) => out.consume("iteration_end"),
    content_start: (event, context, out) => ofType(starts, event["contentType"])?.(event, context, out),
    content_update: (_event, _context, out) => out.consume(updateRule),
    content_end: (event, context, out) => ofType(ends, event["contentType"])?.(event, context, out),
    usage: (event, { author }, out) => usage.step(event, author, out),
    notice: (_event, _context, out) => out.consume("notice: status, compaction and recovery"),
    error,
    done: (_event, _context, out) => out.consume("done: restated by run_result, or the end of a subagent"),
  };

  return (event, context, out) => ofType(events, event["type"])?.(event, context, out);
}

/** Output of a running call; the end of the call has all of it. */
export const updateRule = "content_update: restated when the call ends";

function ofType(
  table: Readonly<Record<string, Handle>>,
  type: JsonObject[string] | undefined,
): Handle | undefined {
  return typeof type === "string" && Object.hasOwn(table, type) ? table[type] : undefined;
}
