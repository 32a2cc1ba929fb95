import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../../contract.js";
import { endsOf, promptIn, startsOf, withoutUsage } from "./entries.js";
import { createStoredTurns, isBranch, type StoredTurns } from "./turns.js";

/**
 * The file of a session (0.74.2, 1.4.0). Each entry is read as the records of the stream that say the same. A prompt begins a turn, and
 * an answer without calls ends it. A failed request may be tried again, so it ends its turn only when something else follows.
 */
export function createPiStoreMapping(options: TranslatorOptions = {}): Mapping {
  const turns = createStoredTurns(options);
  /** The entry before this one. */
  let lastId: string | undefined;
  /** The beginning of a session that began as a copy of another one. What is older was counted there. */
  let copiedBefore: string | undefined;

  return {
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      const time = asText(record["timestamp"]);
      if (type === "session" && asText(record["parentSession"]) !== undefined) copiedBefore = time;
      const isCopy = copiedBefore !== undefined && time !== undefined && time < copiedBefore;
      const entry = isCopy ? withoutUsage(record) : record;
      if (Object.hasOwn(entries, type)) entries[type]?.(turns, entry, out, lastId);
      else if (quietEntries.has(type)) out.consume(type);
      lastId = asText(record["id"]) ?? lastId;
    },
    flush: turns.flush,
  };
}

type Handle = (turns: StoredTurns, entry: JsonObject, out: Sink, lastId: string | undefined) => void;

const roles: Readonly<Record<string, Handle>> = {
  /** Somebody may write while the agent works: that belongs to the turn. */
  user(turns, entry, out, lastId) {
    const prompt = promptIn(entry);
    const isQuiet = out.live.turnId !== undefined && !turns.hasFailed && turns.openCalls.size === 0;
    if (prompt !== undefined && isQuiet && !isBranch(entry, lastId))
      return out.emit({ type: "agent", role: "user", message: prompt });
    if (prompt !== undefined) turns.begin(prompt, out);
    out.consume("user: a prompt");
  },
  assistant(turns, entry, out) {
    const message = asObject(entry["message"]) ?? {};
    turns.ensure(out);
    if (turns.hasFailed) turns.pass([{ type: "agent_start" }], out);
    turns.retried();
    turns.pass(
      [
        { type: "message_start", message },
        { type: "message_end", message },
      ],
      out,
    );
    const starts = startsOf(message);
    const reason = asText(message["stopReason"]);
    if (reason === "aborted") return turns.cut(out, { isInterrupted: true });
    if (reason === "error") return turns.failed(asText(entry["id"]));
    if (starts.length === 0) return turns.complete(out);
    for (const start of starts) turns.openCalls.add(asText(start["toolCallId"]) ?? "");
    turns.pass(starts, out);
  },
  toolResult(turns, entry, out) {
    const message = asObject(entry["message"]) ?? {};
    turns.ensure(out);
    turns.openCalls.delete(asText(message["toolCallId"]) ?? "");
    turns.pass([...endsOf(message), { type: "message_end", message }], out);
  },
};

const entries: Readonly<Record<string, Handle>> = {
  session: (turns, record, out) => turns.pass([record], out),
  message(turns, entry, out, lastId) {
    const role = asText(asObject(entry["message"])?.["role"]) ?? "";
    if (Object.hasOwn(roles, role)) roles[role]?.(turns, entry, out, lastId);
    else if (quietRoles.has(role)) out.consume(`message: ${quietRoles.get(role)}`);
  },
  usage: (turns, entry, out) => spent(turns, entry, "usage", out),
  compaction: (turns, entry, out) =>
    spent(turns, entry, "compaction: the conversation so far became a summary", out),
  branch_summary: (turns, entry, out) =>
    spent(turns, entry, "branch_summary: of the branch that was left", out),
  /** The failed answer is taken out of the conversation: it is asked for again. */
  context_edit(turns, entry, out) {
    const isRetry = turns.hasFailed && asText(entry["targetId"]) === turns.failedId;
    if (!isRetry) return out.consume("context_edit");
    turns.retried();
    turns.pass([{ type: "auto_retry_start" }], out);
  },
};

/** Requests that are no answers: a summary, or one that keeps the provider's cache warm. Between turns they are the agent's own. */
function spent(turns: StoredTurns, entry: JsonObject, rule: string, out: Sink): void {
  const isBetween = out.live.turnId === undefined;
  if (isBetween && asObject(entry["usage"]) === undefined) return out.consume(rule);
  turns.ensure(out);
  turns.pass([{ type: "entry_appended", entry: { type: "usage", usage: entry["usage"] ?? null } }], out);
  if (isBetween) turns.complete(out);
  out.consume(rule);
}

const quietEntries: ReadonlySet<string> = new Set([
  "model_change",
  "thinking_level_change",
  "custom",
  "custom_message",
  "label",
  "session_info",
]);

/** Messages that nobody asked with and that are no answer. */
const quietRoles: ReadonlyMap<string, string> = new Map([
  ["system", "the instructions and tools of the model"],
  ["bashExecution", "a command that the user ran in Pi"],
  ["custom", "put to the model by an extension"],
  ["hookMessage", "put to the model by an extension"],
  ["branchSummary", "of the branch that was left"],
  ["compactionSummary", "the conversation so far became a summary"],
]);
