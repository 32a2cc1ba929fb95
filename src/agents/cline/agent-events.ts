import { asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import type { Author } from "./author.js";
import type { Calls } from "./calls.js";
import type { Mistakes } from "./mistakes.js";
import type { Speech } from "./speech.js";
import type { Usage } from "./usage.js";

/** The author of an event, and the whole record that holds it. */
export interface Context {
  author: Author;
  native: JsonObject;
}

type Handle = (event: JsonObject, context: Context, out: Sink) => void;

/** Handles the `event` of an `agent_event` record. Unknown types become `unknown`. */
export type AgentEvents = Handle;

export function createAgentEvents(parts: {
  speech: Speech;
  calls: Calls;
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

  /** In the in-process dialect, a failed call is also reported as a recoverable error. */
  function error(event: JsonObject, { author: { isLead, parentCallId } }: Context, out: Sink): void {
    const message = asText(asObject(event["error"])?.["message"]) ?? asText(event["error"]);
    if (message === undefined) return;
    if (asFlag(event["recoverable"]) === true) {
      if (isLead && !/^\d+ tool call\(s\) failed: /.test(message)) parts.mistakes.made(message);
      return out.emit({ type: "warning", parentCallId, message });
    }
    const errorClass = asText(event["errorClass"]);
    const code = errorClass === "unknown" ? undefined : errorClass;
    if (isLead) out.run.failure = { message, ...evidenceOf(code), isReported: true };
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

/**
 * What the class of an error says about its kind. `auth` only repeats that the status was 401 or 403, which providers also
 * send for a key whose credit is used up (3.0.65). So the message decides first.
 */
function evidenceOf(code: string | undefined): { code?: string | undefined; status?: number } {
  return code === "auth" ? { status: 401 } : { code };
}

/** Output of a running call. The end of the call repeats all of it. */
export const updateRule = "content_update: restated when the call ends";

function ofType(
  table: Readonly<Record<string, Handle>>,
  type: JsonObject[string] | undefined,
): Handle | undefined {
  return typeof type === "string" && Object.hasOwn(table, type) ? table[type] : undefined;
}
