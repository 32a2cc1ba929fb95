import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import type { AgentEvents } from "./agent-events.js";
import { createAttribution, isWords, noteSpent } from "./attribution.js";
import type { Author } from "./author.js";
import { createHeldRecords, type HeldRecord, isPiece } from "./held-records.js";
import type { Worker } from "./roster.js";
import type { Subagents } from "./subagents.js";
import type { Workers } from "./workers.js";

/** `agent_event` records. Only hooks, before or after them, say which agent they belong to. */
export interface PlainEvents {
  read(event: JsonObject, native: JsonObject, out: Sink): void;
  hook(record: JsonObject, out: Sink): void;
  /** Whose text it must be. Undefined if several agents could have said it. */
  speaker(): Author | undefined;
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
  const held = createHeldRecords();
  const attribution = createAttribution({ workers, subagents, held });

  function emit({ event, native, line }: HeldRecord, author: Author, out: Sink): void {
    agentEvents(event, { author, native }, atLine(line, out));
  }

  function release(records: readonly HeldRecord[], worker: Worker, out: Sink): void {
    for (const record of records) {
      if (record.event["type"] === "usage") noteSpent(worker, record.event);
      emit(record, worker.author, out);
    }
  }

  return {
    speaker: () => (held.pieces().length > 0 ? undefined : attribution.ofWords()),
    read(event, native, out) {
      if (event["type"] === "iteration_start" && !workers.hasHooks) subagents.iterationStarted(out);
      const author = attribution.of(event);
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
      for (const record of held.takeAll()) emit(record, worker?.author ?? attribution.fallback(), out);
      for (const { native, line } of held.pieces()) out.emit({ type: "unknown", raw: native, line });
    },
  };
}

/** A sink for what an earlier line gives. */
function atLine(line: number, out: Sink): Sink {
  return { ...out, lineNumber: line, emit: (draft) => out.emit({ line, ...draft }) };
}
