import { createSpanIds, type SpanIds } from "./span-ids.js";
import type { TraceParent } from "./trace-parent.js";

/** What the conventions of OpenTelemetry call an attribute. A whole number is an integer, any other one is a double. */
export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Record<string, AttributeValue>;

/** Something with a beginning and an end, as OpenTelemetry describes it. */
export interface TraceSpan {
  traceId: string;
  spanId: string;
  /** Absent for the root of a trace that begins here. */
  parentSpanId?: string;
  /** The parent is in another process. */
  isParentRemote: boolean;
  traceState?: string;
  name: string;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  events: SpanEvent[];
  droppedEvents: number;
  /** Why it failed. The status of a span without it is unset, as the conventions ask for. */
  error?: string;
}

/** Something that happened at one moment of a span. */
export interface SpanEvent {
  name: string;
  atMs: number;
  attributes: Attributes;
}

/** The limit that the SDKs of OpenTelemetry have, too. */
const maxEvents = 128;

export function addSpanEvent(span: TraceSpan, event: SpanEvent): void {
  if (span.events.length < maxEvents) span.events.push(event);
  else span.droppedEvents += 1;
}

/** The error type says which kind of failure it was, the words are for people. */
export function failSpan(span: TraceSpan, type: string, words: string): void {
  span.attributes["error.type"] = type;
  span.error = words;
}

/** Opens the spans of one trace, and collects those that have ended. */
export interface SpanTree {
  /** Without a parent: the root. */
  open(name: string, atMs: number, parentSpanId: string | undefined, attributes: Attributes): TraceSpan;
  close(span: TraceSpan, atMs: number): void;
  /** The spans that have ended since the last call. */
  take(): TraceSpan[];
}

export function createSpanTree(runId: string, parent: TraceParent | undefined): SpanTree {
  const ids: SpanIds = createSpanIds(runId);
  let ended: TraceSpan[] = [];
  return {
    open(name, atMs, parentSpanId, attributes) {
      const isRoot = parentSpanId === undefined;
      const above = parentSpanId ?? parent?.spanId;
      return {
        traceId: parent?.traceId ?? ids.traceId,
        spanId: ids.next(),
        ...(above !== undefined && { parentSpanId: above }),
        isParentRemote: isRoot && parent !== undefined,
        ...(parent?.traceState !== undefined && { traceState: parent.traceState }),
        name,
        startMs: atMs,
        endMs: atMs,
        attributes,
        events: [],
        droppedEvents: 0,
      };
    },
    close(span, atMs) {
      span.endMs = Math.max(span.startMs, atMs);
      ended.push(span);
    },
    take() {
      const taken = ended;
      ended = [];
      return taken;
    },
  };
}
