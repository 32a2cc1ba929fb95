import type { HarnessEvent } from "../../events/event.js";
import type { Format, OutputDefinition } from "../contract.js";
import { createAddingView, createJsonLines } from "../json-lines.js";
import { ownFields } from "./fields.js";
import { createItemText } from "./item-text.js";
import type { NormalizedEvent } from "./schema.js";

/**
 * `--format events`: normalized harness events. What the agent said and did, and what went wrong;
 * life cycle, deltas, thinking, raw tool calls and numbers are left out, and so are messages of other roles.
 */
export const eventsFormat: Format<NormalizedEvent> = {
  name: "events",
  create: () => ({ push }),
};

export const eventsOutput = {
  name: "events",
  summary: "normalized events: what the agent said and did",
  isForPeople: false,
  schema: async () => (await import("./schema.js")).NormalizedEvent,
  open: () => createJsonLines(normalized, createItemText(), toItem),
} as const satisfies OutputDefinition;

function push(events: readonly HarnessEvent[]): NormalizedEvent[] {
  return events.filter(isNormalized).map(toItem);
}

/** The items as events: their text is made from them. */
const normalized = createAddingView<Normalized>((events, items) => {
  for (const event of events) if (isNormalized(event)) items.push(event);
});

/** The events that are items. */
export type Normalized = Extract<HarnessEvent, { type: NormalizedEvent["type"] }>;

function isNormalized(event: HarnessEvent): event is Normalized {
  return event.type === "agent" ? event.role === undefined : Object.hasOwn(ownFields, event.type);
}

/** Copies the fields of the table. The schema of the items has no others. */
function toItem(event: Normalized): NormalizedEvent {
  const source: Record<string, unknown> = event;
  const item: Record<string, unknown> = { type: event.type, timestamp: event.timestamp };
  if (event.sessionId !== undefined) item["sessionId"] = event.sessionId;
  for (const field of ownFields[event.type]) {
    const value = source[field];
    if (value !== undefined) item[field] = value;
  }
  return item as NormalizedEvent;
}
