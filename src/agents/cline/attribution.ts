import { asFlag, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Author } from "./author.js";
import { type HeldRecords, spentOf } from "./held-records.js";
import type { Worker } from "./roster.js";
import type { Subagents } from "./subagents.js";
import type { Workers } from "./workers.js";

/** Who a plain `agent_event` belongs to. */
export interface Attribution {
  /** Undefined: not known yet. */
  of(event: JsonObject): Author | undefined;
  /** Whose text or reasoning it must be. Undefined if several agents could have sent it. */
  ofWords(): Author | undefined;
  /** The author of records without events, and of records whose agent no hook names. */
  fallback(): Author;
}

export function createAttribution(parts: {
  workers: Workers;
  subagents: Subagents;
  held: HeldRecords;
}): Attribution {
  const { workers, subagents, held } = parts;

  function of(event: JsonObject): Author | undefined {
    const type = asText(event["type"]) ?? "";
    const callId = asText(event["toolCallId"]) ?? "";
    if (type === "error") return ofError(event);
    if (event["contentType"] === "tool" && type === "content_start") return workers.callStarted(callId);
    if (event["contentType"] === "tool" && type === "content_end") {
      return workers.callEnded(callId) ?? (held.hasCall(callId) ? undefined : fallback());
    }
    if (isWords(event)) return ofWords();
    if (type !== "usage") return fallback();
    const [worker, ...others] = workers.answering("usage");
    if (worker === undefined) return subagents.innermost();
    if (others.length === 0) noteSpent(worker, event);
    return others.length === 0 ? worker.author : undefined;
  }

  function ofWords(): Author | undefined {
    const speakers = workers.answering("words");
    return speakers.length > 1 ? undefined : (speakers[0]?.author ?? subagents.innermost());
  }

  function fallback(): Author {
    return workers.latest() ?? subagents.innermost();
  }

  /**
   * A fatal error follows the hook `agent_error`. A recoverable one concerns the calls of the turn that has just ended, and
   * its agent asks its model again.
   */
  function ofError(event: JsonObject): Author | undefined {
    if (asFlag(event["recoverable"]) !== true) return fallback();
    const [worker, ...others] = workers.answering("words");
    if (others.length > 0) return held.hasRejectedCall() ? undefined : fallback();
    return worker?.author ?? fallback();
  }

  return { of, ofWords, fallback };
}

/** Remembers what the agent has spent, as its `usage` reports it. */
export function noteSpent(worker: Worker, usage: JsonObject): void {
  worker.spent = spentOf(usage)?.after ?? worker.spent;
}

/** Text or reasoning of a model: pieces, or the end that restates them. */
export function isWords({ type, contentType }: JsonObject): boolean {
  return (type === "content_start" || type === "content_end") && contentType !== "tool";
}
