import { signal } from "@preact/signals";
import type { HarnessEvent } from "../../../src/events/event.js";
import { createSummary, type Spent, type Summary } from "../../../src/story/create-summary.js";
import type { RunSummary } from "../../../src/story/run-summary.js";
import { createTimelineBuilder, type TimelineBuilder } from "../../../src/story/timeline/build-timeline.js";
import type { Timeline } from "../../../src/story/timeline/items.js";

/** What the server sends of a run, or an imported log gives. */
export interface Arrival {
  events: readonly HarnessEvent[];
  cut?: readonly number[];
  consumed?: readonly (readonly [line: number, rule: string])[];
  lines?: number;
}

/**
 * A run in the page: all its events, and what is made of those that are shown. While it is replayed, only
 * the events up to a moment are.
 */
export interface RunModel {
  readonly events: readonly HarnessEvent[];
  /** Milliseconds since the start, of each event; never decreasing. */
  readonly times: readonly number[];
  readonly timeline: Timeline;
  readonly spent: Spent;
  /** Events whose contents are not whole. */
  readonly cut: ReadonlySet<number>;
  readonly consumed: ReadonlyMap<number, string>;
  /** Raw lines so far. */
  readonly lines: number;
  /** How many events are shown. */
  readonly shown: number;
  /** Changes, at most once per frame, and less often in a very long run, when anything did. */
  readonly version: { readonly value: number };
  summary(): RunSummary;
  add(arrival: Arrival): void;
  /** The number of the first event of a raw line. */
  firstOfLine(line: number): number | undefined;
  /** Shows the first so many events; undefined: all, as they come. */
  showFirst(count: number | undefined): void;
  /** The whole of an event that came cut. */
  complete(event: HarnessEvent): void;
}

export function createRunModel(startedAt: string): RunModel {
  const events: HarnessEvent[] = [];
  const times: number[] = [];
  const cut = new Set<number>();
  const consumed = new Map<number, string>();
  const seqOfLine = new Map<number, number>();
  const version = signal(0);
  let builder: TimelineBuilder = createTimelineBuilder(startedAt);
  let summary: Summary = createSummary();
  let shown = 0;
  let limit: number | undefined;
  let lines = 0;
  let isDrawing = false;

  function show(): void {
    const end = Math.min(events.length, limit ?? events.length);
    if (end < shown) {
      builder = createTimelineBuilder(startedAt);
      summary = createSummary();
      shown = 0;
    }
    for (; shown < end; shown += 1) {
      const event = events[shown];
      if (event === undefined) continue;
      builder.add(event);
      summary.add(event);
    }
    draw();
  }

  function draw(): void {
    if (isDrawing) return;
    isDrawing = true;
    soon(events.length, () => {
      isDrawing = false;
      version.value += 1;
    });
  }

  return {
    events,
    times,
    cut,
    consumed,
    version,
    get timeline() {
      return builder.timeline;
    },
    get spent() {
      return summary.spent;
    },
    get lines() {
      return lines;
    },
    get shown() {
      return shown;
    },
    summary: () => summary.read(),
    add(arrival) {
      for (const event of arrival.events) {
        // After a lost connection the server may begin again.
        if (event.seq !== events.length) continue;
        events.push(event);
        const start = Date.parse(events[0]?.timestamp ?? startedAt);
        times.push(Math.max(times.at(-1) ?? 0, Date.parse(event.timestamp) - start || 0));
        if (event.line !== undefined && !seqOfLine.has(event.line)) seqOfLine.set(event.line, event.seq);
      }
      for (const seq of arrival.cut ?? []) cut.add(seq);
      for (const [line, rule] of arrival.consumed ?? []) consumed.set(line, rule);
      lines = Math.max(lines, arrival.lines ?? 0);
      show();
    },
    firstOfLine: (line) => seqOfLine.get(line),
    showFirst(count) {
      limit = count;
      show();
    },
    complete(event) {
      events[event.seq] = event;
      cut.delete(event.seq);
      const all = shown;
      shown = 0;
      builder = createTimelineBuilder(startedAt);
      summary = createSummary();
      const kept = limit;
      limit = all;
      show();
      limit = kept;
    },
  };
}

/** So many events are drawn in a frame; with more, frames are left for the reader. */
const eventsPerFrame = 5000;
const longestWaitMs = 400;

/** A page in the background gets no frames, and still has to take in what comes. */
function soon(events: number, action: () => void): void {
  if (document.hidden) setTimeout(action, 100);
  else if (events > eventsPerFrame) setTimeout(action, Math.min(longestWaitMs, events / 400));
  else requestAnimationFrame(action);
}
