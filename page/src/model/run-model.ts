import { signal } from "@preact/signals";
import type { HarnessEvent } from "../../../src/events/event.js";
import { type ChangesSoFar, createChangedFiles } from "../../../src/story/changed-files.js";
import { createSummary, type Summary } from "../../../src/story/create-summary.js";
import type { PatchFile } from "../../../src/story/patch-files.js";
import type { RunSummary } from "../../../src/story/run-summary.js";
import type { Spent } from "../../../src/story/spending.js";
import { createTimelineBuilder, type TimelineBuilder } from "../../../src/story/timeline/build-timeline.js";
import type { Timeline } from "../../../src/story/timeline/items.js";

/** A part of a run, as it comes from the server or an imported log. */
export interface Arrival {
  events: readonly HarnessEvent[];
  cut?: readonly number[];
  consumed?: readonly (readonly [line: number, rule: string])[];
  lines?: number;
}

/**
 * A run in the page: all its events, and the timeline and summary of those that are shown. During a replay, only the events
 * up to a moment are shown.
 */
export interface RunModel {
  readonly events: readonly HarnessEvent[];
  /** The time of each event in milliseconds since the start. The times never decrease. */
  readonly times: readonly number[];
  readonly timeline: Timeline;
  readonly spent: Spent;
  /** The `seq` of events whose contents were cut. */
  readonly cut: ReadonlySet<number>;
  readonly consumed: ReadonlyMap<number, string>;
  /** The number of raw lines so far. */
  readonly lines: number;
  /** The number of events that are shown. */
  readonly shown: number;
  /** Changes whenever the run does, but at most once per frame, and less often in a very long run. */
  readonly version: { readonly value: number };
  summary(): RunSummary;
  /** What the agent's edits said about files. */
  edits(): readonly PatchFile[];
  add(arrival: Arrival): void;
  /** The `seq` of the first event of a raw line. */
  firstOfLine(line: number): number | undefined;
  /** Shows only the first events. Undefined: shows all, as they come. */
  showFirst(count: number | undefined): void;
  /** Replaces an event that was cut by the whole event. */
  complete(event: HarnessEvent): void;
}

export function createRunModel(startedAt: string): RunModel {
  const events: HarnessEvent[] = [];
  const times: number[] = [];
  const cut = new Set<number>();
  const consumed = new Map<number, string>();
  const seqOfLine = new Map<number, number>();
  const version = signal(0);
  const shown = createShownEvents(startedAt, events);
  let limit: number | undefined;
  /** The summary of what is shown. Many parts of the page ask for it, and it copies long lists. */
  let summary: RunSummary | undefined;
  let lines = 0;
  let isDrawing = false;

  function show(): void {
    summary = undefined;
    shown.showFirst(limit ?? events.length);
    if (isDrawing) return;
    isDrawing = true;
    soon(events.length, () => {
      isDrawing = false;
      version.value += 1;
    });
  }

  function addEvent(event: HarnessEvent): void {
    // After a lost connection the server may begin again.
    if (event.seq !== events.length) return;
    events.push(event);
    const start = Date.parse(events[0]?.timestamp ?? startedAt);
    times.push(Math.max(times.at(-1) ?? 0, Date.parse(event.timestamp) - start || 0));
    if (event.line !== undefined && !seqOfLine.has(event.line)) seqOfLine.set(event.line, event.seq);
  }

  return {
    events,
    times,
    cut,
    consumed,
    version,
    get timeline() {
      return shown.timeline;
    },
    get spent() {
      return shown.summary.spent;
    },
    get lines() {
      return lines;
    },
    get shown() {
      return shown.count;
    },
    summary() {
      summary ??= shown.summary.read();
      return summary;
    },
    edits: () => shown.changed.files(),
    add(arrival) {
      for (const event of arrival.events) addEvent(event);
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
      shown.rebuild();
      show();
    },
  };
}

/** The timeline and the summary of the events that are shown. */
interface ShownEvents {
  readonly count: number;
  readonly timeline: Timeline;
  readonly summary: Summary;
  readonly changed: ChangesSoFar;
  showFirst(count: number): void;
  /** Builds both again, because an event has changed. */
  rebuild(): void;
}

function createShownEvents(startedAt: string, events: readonly HarnessEvent[]): ShownEvents {
  let builder: TimelineBuilder = createTimelineBuilder(startedAt);
  let summary: Summary = createSummary();
  let changed = createChangedFiles({ keepsPatch: true });
  let count = 0;

  function showFirst(wanted: number): void {
    const end = Math.min(events.length, wanted);
    if (end < count) clear();
    for (; count < end; count += 1) {
      const event = events[count];
      if (event === undefined) continue;
      builder.add(event);
      summary.add(event);
      changed.add(event);
    }
  }

  function clear(): void {
    builder = createTimelineBuilder(startedAt);
    summary = createSummary();
    changed = createChangedFiles({ keepsPatch: true });
    count = 0;
  }

  return {
    get count() {
      return count;
    },
    get timeline() {
      return builder.timeline;
    },
    get summary() {
      return summary;
    },
    get changed() {
      return changed;
    },
    showFirst,
    rebuild() {
      const before = count;
      clear();
      showFirst(before);
    },
  };
}

/** Up to this many events, every frame is drawn. With more, frames are skipped so that the page stays responsive. */
const eventsPerFrame = 5000;
const longestWaitMs = 400;

/** A page in the background gets no frames, but still has to take in new events. */
function soon(events: number, action: () => void): void {
  if (document.hidden) setTimeout(action, 100);
  else if (events > eventsPerFrame) setTimeout(action, Math.min(longestWaitMs, events / 400));
  else requestAnimationFrame(action);
}
