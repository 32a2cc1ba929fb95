import type { HarnessEvent } from "../../../src/events/event.js";
import type { Item } from "../../../src/story/timeline/items.js";
import { findItem } from "./rows.js";
import type { RunModel } from "./run-model.js";

/** The events of an item of the timeline. */
export function eventsOfItem(model: RunModel, item: Item): HarnessEvent[] {
  const first = model.events[item.seq];
  if (first === undefined) return [];
  const after = model.events.slice(item.seq, model.shown);
  switch (item.kind) {
    case "call":
      return after.filter((event) => "callId" in event && event.callId === item.callId);
    case "message":
      return wordsFrom(after, first, "text", "agent");
    case "thinking":
      return wordsFrom(after, first, "thinking", "thinking");
    case "request": {
      const { requestId } = item.request;
      return after.filter((event) => "requestId" in event && event.requestId === requestId);
    }
    case "end":
      return after.filter((event) => event.type === "result" || event.type === "exited");
    default:
      return [first];
  }
}

/** The streamed pieces of a message, and the event with the whole message that ends them. */
function wordsFrom(
  events: readonly HarnessEvent[],
  first: HarnessEvent,
  piece: HarnessEvent["type"],
  whole: HarnessEvent["type"],
): HarnessEvent[] {
  if (first.type === whole && !("delta" in first)) return [first];
  const found: HarnessEvent[] = [];
  for (const event of events) {
    if (event.parentCallId !== first.parentCallId) continue;
    if (event.type === piece && "delta" in event) {
      if (messageIdOf(event) === messageIdOf(first)) found.push(event);
      else break;
    } else if (event.type === whole) {
      const id = messageIdOf(event);
      if (piece !== whole && (id === undefined || id === messageIdOf(first))) found.push(event);
      break;
    } else if (piece === whole && event.type !== "usage") break;
  }
  return found;
}

function messageIdOf(event: HarnessEvent): string | undefined {
  return "messageId" in event ? event.messageId : undefined;
}

/** The item of the timeline that shows an event: its own item, its call, or the last item that began before it. */
export function itemOfEvent(model: RunModel, seq: number): Item | undefined {
  const event = model.events[seq];
  const { items } = model.timeline;
  const own = findItem(items, (item) => item.seq === seq);
  if (own !== undefined) return own.item;
  if (event?.type === "request_end") {
    const { requestId } = event;
    const asked = findItem(items, (item) => item.kind === "request" && item.request.requestId === requestId);
    if (asked !== undefined) return asked.item;
  }
  const callId = event !== undefined && "callId" in event ? event.callId : undefined;
  if (callId !== undefined) {
    const call = findItem(items, (item) => item.kind === "call" && item.callId === callId);
    if (call !== undefined) return call.item;
  }
  let last: Item | undefined;
  findItem(items, (item) => {
    if (item.seq <= seq && item.seq >= (last?.seq ?? 0)) last = item;
    return false;
  });
  return last;
}
