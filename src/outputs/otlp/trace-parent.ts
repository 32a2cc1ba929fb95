import { createSpanIds, rootSpanIdOf } from "./span-ids.js";

/** The span that a run belongs to, in another process: W3C Trace Context. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  /** What vendors add. It is passed on as it is. */
  traceState?: string;
}

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const maxTraceState = 512;

/** Reads `TRACEPARENT` and `TRACESTATE`. Undefined if the first one is not valid; a state that is too long is left out. */
export function parseTraceParent(text: string, traceState?: string): TraceParent | undefined {
  const [, version, traceId = "", spanId = "", more] = shape.exec(text.trim()) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const isUsable =
    traceState !== undefined && /^[\x20-\x7e]+$/.test(traceState) && traceState.length <= maxTraceState;
  return { traceId, spanId, ...(isUsable && { traceState }) };
}

/** The `TRACEPARENT` for what a run starts: its parent is the run's own span. */
export function traceParentOf(runId: string, parent: TraceParent | undefined): string {
  return `00-${parent?.traceId ?? createSpanIds(runId).traceId}-${rootSpanIdOf(runId)}-01`;
}
