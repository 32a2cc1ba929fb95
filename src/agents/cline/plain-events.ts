import { asFlag, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import type { AgentEvents } from "./agent-events.js";
import type { Author } from "./author.js";
import { createHeld, type HeldRecord, isPiece, spentOf } from "./held.js";
import type { Subagents } from "./subagents.js";
import type { Worker, Workers } from "./workers.js";

/** `agent_event` records. They do not say which agent they belong to: hooks do, before or after them. */
export interface PlainEvents {
  read(event: JsonObject, native: JsonObject, out: Sink): void;
  hook(record: JsonObject, out: Sink): void;
  /** A record of a teammate repeats a plain `usage`, which is then the teammate's. */
  repeated(usage: JsonObject, author: Author, out: Sink): void;
  /** The stream has ended. */
  flush(out: Sink): void;
}

export function createPlainEvents(parts: {
  workers: Workers;
  subagents: Subagents;
  agentEvents: AgentEvents;
}): PlainEvents {
  const { workers, subagents, agentEvents } = parts;
  const held = createHeld();

  /** Undefined: not known yet. */
  function authorOf(event: JsonObject): Author | undefined {
    const type = asText(event["type"]) ?? "";
    const callId = asText(event["toolCallId"]) ?? "";
    if (type === "error") return authorOfError(event);
    if (event["contentType"] === "tool" && type === "content_start") return workers.callStarted(callId);
    if (event["contentType"] === "tool" && type === "content_end") {
      return workers.callEnded(callId) ?? (held.hasCall(callId) ? undefined : someAuthor());
    }
    if (type !== "usage" && !isWords(event)) return someAuthor();
    const [worker, ...others] = workers.answering(type === "usage" ? "usage" : "words");
    if (worker === undefined) return subagents.innermost();
    if (others.length > 0) return undefined;
    if (type === "usage") worker.spent = spentOf(event)?.after ?? worker.spent;
    return worker.author;
  }

  /** For records that give no events, or whose agent no hook tells. */
  function someAuthor(): Author {
    return workers.latest() ?? subagents.innermost();
  }

  /**
   * A fatal error follows the hook `agent_error`. A recoverable one is about the calls of the turn that has just ended, so
   * that its agent asks again.
   */
  function authorOfError(event: JsonObject): Author | undefined {
    if (asFlag(event["recoverable"]) !== true) return someAuthor();
    const [worker, ...others] = workers.answering("words");
    if (others.length > 0) return held.hasRejectedCall() ? undefined : someAuthor();
    return worker?.author ?? someAuthor();
  }

  function emit({ event, native, line }: HeldRecord, author: Author, out: Sink): void {
    const then: Sink = { ...out, lineNumber: line, emit: (draft) => out.emit({ line, ...draft }) };
    agentEvents(event, { author, native }, then);
  }

  function release(records: readonly HeldRecord[], worker: Worker, out: Sink): void {
    for (const record of records) {
      if (record.event["type"] === "usage") worker.spent = spentOf(record.event)?.after ?? worker.spent;
      emit(record, worker.author, out);
    }
  }

  return {
    read(event, native, out) {
      if (event["type"] === "iteration_start" && !workers.hasHooks) subagents.iterationStarted(out);
      const author = authorOf(event);
      if (author === undefined || (isPiece(event) && held.pieces().length > 0)) {
        held.keep({ event, native, line: out.lineNumber });
        return out.consume("agent_event: held until a hook names its agent");
      }
      if (isWords(event)) held.ended(event);
      agentEvents(event, { author, native }, out);
    },
    hook(record, out) {
      const worker = workers.hook(record, out);
      if (worker !== undefined) release(held.take(worker), worker, out);
    },
    repeated(usage, author, out) {
      for (const record of held.takeUsage(usage)) emit(record, author, out);
    },
    /** Several agents were in the middle of an answer: which of them said the last pieces is not known. */
    flush(out) {
      const [worker] = workers.answering("words");
      for (const record of held.takeAll()) emit(record, worker?.author ?? someAuthor(), out);
      for (const { native, line } of held.pieces()) out.emit({ type: "unknown", raw: native, line });
    },
  };
}

/** Text or reasoning of a model: pieces, or the end that restates them. */
function isWords({ type, contentType }: JsonObject): boolean {
  return (type === "content_start" || type === "content_end") && contentType !== "tool";
}
