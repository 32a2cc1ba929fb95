import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { CallItem, EndItem, Item, OperationEvent, Timeline } from "./items.js";
import { createSpeech, type Speech } from "./speech.js";

/** Puts together what belongs together: deltas, calls with results and operations, subagents. */
export function buildTimeline(events: readonly HarnessEvent[], startedAt: string): Timeline {
  const builder = createTimelineBuilder(startedAt);
  for (const event of events) builder.add(event);
  return builder.timeline;
}

/** Builds a timeline as events come. */
export interface TimelineBuilder {
  add(event: HarnessEvent): void;
  /** What there is so far: the same object all the time, its items change as they go on. */
  readonly timeline: Timeline;
}

export function createTimelineBuilder(startedAt: string): TimelineBuilder {
  const timeline: Timeline = { items: [], steps: [], duration: 0 };
  const calls = new Map<string, CallItem>();
  const speeches = new Map<string, Speech>();
  let start: number | undefined;
  let time = 0;
  let end: EndItem | undefined;

  /** What a subagent did goes into the call that started it. */
  function placeOf({ parentCallId }: HarnessEvent): Item[] {
    return (parentCallId === undefined ? undefined : calls.get(parentCallId)?.children) ?? timeline.items;
  }

  function speechOf(event: HarnessEvent): Speech {
    const thread = event.parentCallId ?? "";
    const known = speeches.get(thread);
    if (known !== undefined) return known;
    const created = createSpeech(placeOf(event));
    speeches.set(thread, created);
    return created;
  }

  function place(event: HarnessEvent, item: Item): void {
    speechOf(event).pause();
    placeOf(event).push(item);
  }

  function endItem(common: { seq: number; time: number }): EndItem {
    if (end !== undefined) return end;
    end = { ...common, kind: "end" };
    timeline.items.push(end);
    return end;
  }

  function startCall(event: EventOf<"tool_start">, common: { seq: number; time: number }): void {
    const { callId, name, input } = event;
    const call: CallItem = { ...common, kind: "call", callId, name, operations: [], children: [] };
    if (input !== undefined) call.input = input;
    place(event, call);
    calls.set(callId, call);
  }

  function endCall(event: EventOf<"tool_end">, common: { seq: number; time: number }): void {
    if (calls.get(event.callId) === undefined) startCall({ ...event, type: "tool_start" }, common);
    const call = calls.get(event.callId);
    if (call === undefined) return;
    call.end = common.time;
    if (event.isSuccess !== undefined) call.isSuccess = event.isSuccess;
    if (event.output !== undefined) call.output = event.output;
  }

  function addOperation(event: OperationEvent, common: { seq: number; time: number }): void {
    const call = event.callId === undefined ? undefined : calls.get(event.callId);
    if (call !== undefined) call.operations.push(event);
    else place(event, { ...common, kind: "operation", operation: event });
  }

  function add(event: HarnessEvent, common: { seq: number; time: number }): void {
    switch (event.type) {
      case "started":
        return;
      case "session": {
        const { model, sessionId } = event;
        place(event, {
          ...common,
          kind: "session",
          ...(model !== undefined && { model }),
          ...(sessionId !== undefined && { sessionId }),
        });
        return;
      }
      case "text":
      case "agent":
      case "thinking":
        speechOf(event).add(event, common);
        return;
      case "tool_start":
        startCall(event, common);
        return;
      case "tool_end":
        endCall(event, common);
        return;
      case "edits":
        place(event, { ...common, kind: "edits", edits: event.edits });
        return;
      case "usage":
        if (event.scope === "step") timeline.steps.push({ time: common.time, usage: event });
        return;
      case "warning":
      case "error": {
        const { type, message, code } = event;
        place(event, { ...common, kind: type, message, ...(code !== undefined && { code }) });
        return;
      }
      case "unknown":
        place(event, { ...common, kind: "unknown", raw: event.raw });
        return;
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
      add(event, { seq: event.seq, time });
    },
  };
}
