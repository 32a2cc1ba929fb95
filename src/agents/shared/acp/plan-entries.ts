import type { PlanEntry } from "../../../events/event.js";
import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonValue } from "../../../text/json.js";

const statuses: Readonly<Record<string, PlanEntry["status"]>> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
};
const priorities: Readonly<Record<string, PlanEntry["priority"]>> = {
  high: "high",
  medium: "medium",
  low: "low",
};

/** The entries of a `plan` update. An entry without a content is left out. */
export function planEntriesIn(value: JsonValue | undefined): PlanEntry[] {
  return (asArray(value) ?? []).flatMap((part): PlanEntry[] => {
    const entry = asObject(part);
    const content = asText(entry?.["content"]);
    if (content === undefined) return [];
    const status = statuses[asText(entry?.["status"]) ?? ""] ?? "pending";
    const priority = priorities[asText(entry?.["priority"]) ?? ""];
    return [{ content, status, ...(priority !== undefined && { priority }) }];
  });
}
