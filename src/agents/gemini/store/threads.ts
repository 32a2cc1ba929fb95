import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { endCall, startCall } from "../../shared/gemini-stream/calls.js";
import { addTokens, countTokens, type ReportedTokens } from "../../shared/tokens.js";
import { geminiDialect } from "../mapping.js";
import { recordsOf, tokensIn } from "./messages.js";
import { createThread, type Thread, type ThreadParts } from "./thread.js";

/** The main agent and its subagents. */
export interface Threads {
  readonly main: Thread;
  /** A line of a subagent's file. */
  subagentLine(id: string, record: JsonObject, out: Sink): void;
  /** True the first time that a message with this id comes. */
  isNew(record: JsonObject): boolean;
  isKnown(record: JsonObject): boolean;
  /** Ends the calls that started subagents, whose lines came after them. */
  finishSubagents(out: Sink): void;
  /** Says in `run` how the turn went. */
  settle(out: Sink): void;
  reset(): void;
}

export function createThreads(): Threads {
  const seen = new Set<string>();
  const held = new Map<string, JsonObject>();
  const callOf = new Map<string, string>();
  const subagents = new Map<string, Thread>();
  let total: ReportedTokens | undefined;

  const shared: Omit<ThreadParts, "parentCallId"> = {
    isNew: (id) => !seen.has(id) && seen.add(id) !== undefined,
    spend(record, parentCallId, out) {
      const tokens = tokensIn(record);
      if (tokens === undefined) return false;
      total = addTokens(total ?? {}, tokens.reported);
      out.run.usage = { ...countTokens(total), scope: "run", line: out.lineNumber };
      if (tokens.counts.totalTokens)
        out.emit({ type: "usage", parentCallId, ...tokens.counts, scope: "step" });
      return true;
    },
    /** A call is written when it is over. One that started a subagent ends after the lines of the subagent. */
    called(call, parentCallId, out) {
      const { start, end } = recordsOf(call);
      if (!startCall(start, geminiDialect, out, parentCallId))
        return out.emit({ type: "unknown", raw: call });
      const agentId = asText(call["agentId"]);
      if (agentId === undefined) return finish(end, out);
      callOf.set(agentId, asText(call["id"]) ?? agentId);
      held.set(agentId, end);
    },
  };

  function finish(end: JsonObject, out: Sink): void {
    endCall(end, geminiDialect, out);
  }

  /** A subagent whose call is not in the file was cut off with its turn. Its own id stands for the call. */
  function subagentOf(id: string): Thread {
    const known = subagents.get(id) ?? createThread({ ...shared, parentCallId: () => callOf.get(id) ?? id });
    subagents.set(id, known);
    return known;
  }

  const main = createThread({ ...shared, parentCallId: () => undefined });

  return {
    main,
    subagentLine(id, record, out) {
      if (record["type"] === "gemini") return subagentOf(id).message(record, out);
      out.consume("subagent: its task, results of its calls, or bookkeeping");
    },
    isNew: (record) => shared.isNew(asText(record["id"]) ?? ""),
    isKnown: (record) => seen.has(asText(record["id"]) ?? ""),
    finishSubagents(out) {
      for (const end of held.values()) finish(end, out);
      held.clear();
      subagents.clear();
    },
    settle({ run }) {
      if (run.failure !== undefined) run.terminal = "failure";
      else if (main.isComplete) run.terminal = "success";
    },
    reset() {
      total = undefined;
      main.isComplete = false;
    },
  };
}
