import type { PlanEntry } from "../../../events/event.js";
import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonValue } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { announce, type SessionState } from "./session-state.js";
import type { Thread } from "./threads.js";

const statuses: ReadonlySet<string> = new Set<PlanEntry["status"]>(["pending", "in_progress", "completed"]);
const priorities: ReadonlySet<string> = new Set(["high", "medium", "low"]);

/** `todo.updated`: the whole list, which may be the same as before. */
export function translateTodos(
  state: SessionState,
  { id, parentCallId }: Thread,
  todos: JsonValue | undefined,
  out: Sink,
): void {
  const entries = (asArray(todos) ?? []).flatMap(toEntry);
  const spelled = JSON.stringify(entries);
  if (state.plans.get(id) === spelled) return out.consume("todo.updated: the list is the same");
  state.plans.set(id, spelled);
  announce(state, out);
  out.emit({ type: "plan", entries, parentCallId });
}

/** A cancelled entry is no longer part of the plan. */
function toEntry(value: JsonValue): PlanEntry[] {
  const { content, status, priority } = asObject(value) ?? {};
  const text = asText(content);
  if (text === undefined || text.trim() === "" || status === "cancelled") return [];
  const entry: PlanEntry = { content: text, status: isStatus(status) ? status : "pending" };
  return [isPriority(priority) ? { ...entry, priority } : entry];
}

function isStatus(value: JsonValue | undefined): value is PlanEntry["status"] {
  return typeof value === "string" && statuses.has(value);
}

function isPriority(value: JsonValue | undefined): value is NonNullable<PlanEntry["priority"]> {
  return typeof value === "string" && priorities.has(value);
}
