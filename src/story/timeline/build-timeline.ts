import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { OperationEvent } from "../../events/operation.js";
import { createRefusedCalls } from "../refused-calls.js";
import type { CallItem, EndItem, Item, Timeline } from "./items.js";
import { createSpeech, type Speech } from "./speech.js";
import { createTurnItems } from "./turn-items.js";

/** Joins what belongs together: the pieces of a message, a call with its result and operations, a subagent's work. */
export function buildTimeline(events: readonly HarnessEvent[], startedAt: string): Timeline {
  const builder = createTimelineBuilder(startedAt);
  for (const event of events) builder.add(event);
  return builder.timeline;
}

/** Builds a timeline as events come. */
export interface TimelineBuilder {
  add(event: HarnessEvent): void;
  /** The timeline so far. It is always the same object, and its items change as events come. */
  readonly timeline: Timeline;
}

/** The event that an item begins with, and its time. */
type Place = { seq: number; time: number };

export function createTimelineBuilder(startedAt: string): TimelineBuilder {
  const timeline: Timeline = { items: [], steps: [], duration: 0 };
  const calls = new Map<string, CallItem>();
  const { place, speechOf } = createThreads(timeline.items, calls);
  const turnItems = createTurnItems(place);
  const refused = createRefusedCalls();
  const endItem = createEnd(timeline.items);
  /** The calls that wait for permission, by the id of the request. */
  const asking = new Map<string, CallItem>();
  let start: number | undefined;
  let time = 0;

  function startCall(event: EventOf<"tool_start">, common: Place): void {
    const call = toCall(event, common);
    place(event, call);
    calls.set(call.callId, call);
  }

  function endCall(event: EventOf<"tool_end">, common: Place): void {
    if (!calls.has(event.callId)) startCall({ ...event, type: "tool_start" }, common);
    const call = calls.get(event.callId);
    if (call !== undefined) closeCall(call, event, common.time, refused.has(event));
  }

  function addOperation(event: OperationEvent, common: Place): void {
    const call = event.callId === undefined ? undefined : calls.get(event.callId);
    if (call !== undefined) call.operations.push(event);
    else place(event, { ...common, kind: "operation", operation: event });
  }

  function markAsking(event: EventOf<"request" | "request_end">): void {
    const call =
      event.type === "request" && event.callId !== undefined
        ? calls.get(event.callId)
        : asking.get(event.requestId);
    if (call === undefined) return;
    if (event.type === "request") {
      call.isAsking = true;
      asking.set(event.requestId, call);
    } else delete call.isAsking;
  }

  function add(event: HarnessEvent, common: Place): void {
    switch (event.type) {
      case "started":
      case "changes":
        return;
      case "request":
      case "request_end":
        markAsking(event);
        return turnItems.add(event, common);
      case "turn":
      case "turn_end":
      case "plan":
        return turnItems.add(event, common);
      case "text":
      case "agent":
      case "thinking":
        return speechOf(event).add(event, common);
      case "tool_start":
        return startCall(event, common);
      case "tool_end":
        return endCall(event, common);
      case "usage":
        if (event.scope === "step") timeline.steps.push({ time: common.time, usage: event });
        else if (event.scope === "turn") turnItems.addUsage(event);
        return;
      case "session":
      case "edits":
      case "warning":
      case "error":
      case "unknown":
        return place(event, toItem(event, common));
      case "result":
        endItem(common).result = event;
        return;
      case "exited":
        endItem(common).exited = event;
        return;
      default:
        addOperation(event, common);
    }
  }

  return {
    timeline,
    add(event) {
      const read = Date.parse(event.timestamp);
      start ??= Number.isNaN(read) ? Date.parse(startedAt) : read;
      if (read - start > time) time = read - start;
      timeline.duration = time;
      refused.add(event);
      add(event, { seq: event.seq, time });
    },
  };
}

/** The one item at the end of the run, made when the first event of the end comes. */
function createEnd(items: Item[]): (common: Place) => EndItem {
  let end: EndItem | undefined;
  return (common) => {
    if (end !== undefined) return end;
    end = { ...common, kind: "end" };
    items.push(end);
    return end;
  };
}

interface Threads {
  /** What the agent or subagent of an event says. */
  speechOf(event: HarnessEvent): Speech;
  place(event: HarnessEvent, item: Item): void;
}

/** What a subagent did goes into the call that started it. */
function createThreads(items: Item[], calls: ReadonlyMap<string, CallItem>): Threads {
  const speeches = new Map<string, Speech>();

  function placeOf({ parentCallId }: HarnessEvent): Item[] {
    return (parentCallId === undefined ? undefined : calls.get(parentCallId)?.children) ?? items;
  }

  function speechOf(event: HarnessEvent): Speech {
    const thread = event.parentCallId ?? "";
    const known = speeches.get(thread);
    if (known !== undefined) return known;
    const created = createSpeech(placeOf(event));
    speeches.set(thread, created);
    return created;
  }

  return {
    speechOf,
    place(event, item) {
      speechOf(event).pause();
      placeOf(event).push(item);
    },
  };
}

function toCall({ callId, name, input, operations }: EventOf<"tool_start">, common: Place): CallItem {
  return {
    ...common,
    kind: "call",
    callId,
    name,
    operations: [],
    children: [],
    ...(input !== undefined && { input }),
    ...(operations !== undefined && operations.length > 0 && { planned: operations }),
  };
}

function closeCall(call: CallItem, event: EventOf<"tool_end">, time: number, isRefused: boolean): void {
  call.end = time;
  if (isRefused) call.isRefused = true;
  if (event.isSuccess !== undefined) call.isSuccess = event.isSuccess;
  if (event.output !== undefined) call.output = event.output;
}

/** Events that are an item by themselves. */
type Single = EventOf<"session" | "edits" | "warning" | "error" | "unknown">;

function toItem(event: Single, common: Place): Item {
  switch (event.type) {
    case "session": {
      const { model, sessionId } = event;
      return {
        ...common,
        kind: "session",
        ...(model !== undefined && { model }),
        ...(sessionId !== undefined && { sessionId }),
      };
    }
    case "edits":
      return { ...common, kind: "edits", edits: event.edits };
    case "warning":
    case "error": {
      const { type, message, code } = event;
      return { ...common, kind: type, message, ...(code !== undefined && { code }) };
    }
    case "unknown":
      return { ...common, kind: "unknown", raw: event.raw };
  }
}
