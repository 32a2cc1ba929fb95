import type { EventOf, HarnessEvent } from "../../events/event.js";
import { type Attributes, createSpanTree, failSpan, type SpanTree, type TraceSpan } from "./span.js";
import type { TraceParent } from "./trace-parent.js";

/** The spans of a run that have not ended, and which of them an event belongs to. */
export interface OpenSpans extends SpanTree {
  /** The span of the whole run. */
  readonly root: TraceSpan;
  readonly turns: SpanSet;
  readonly calls: SpanSet;
  readonly requests: SpanSet;
  /** The innermost open span that the event belongs to: a subagent, the call that started it, a turn, or the run. */
  scopeOf(event: HarnessEvent): TraceSpan;
  /** The id of the parent for a span of this event. The call of a subagent may have ended already. */
  parentOf(event: HarnessEvent): string;
  /** The span of a subagent. Some agents report only its end: then it began when its call did. */
  subagent(event: EventOf<"orchestration">, atMs: number, name: string): TraceSpan;
  endSubagent(event: EventOf<"orchestration">, span: TraceSpan, atMs: number): void;
  /** Keeps the span of a call that has ended, until `release`. */
  hold(callId: string, span: TraceSpan, atMs: number): void;
  held(callId: string | undefined): TraceSpan | undefined;
  release(): void;
  /** The run is over: ends everything but the run itself. `isCut`: nobody saw the end. */
  closeAll(atMs: number, isCut: boolean): void;
}

export function createOpenSpans(
  runId: string,
  parent: TraceParent | undefined,
  atMs: number,
  attributes: Attributes,
): OpenSpans {
  const tree = createSpanTree(runId, parent);
  const root = tree.open("invoke_agent", atMs, undefined, attributes);
  const [turns, calls, requests] = [createSpanSet(tree), createSpanSet(tree), createSpanSet(tree)];
  /** By the call that started it, and by its own id. */
  const subagents = new Map<string, TraceSpan>();
  const ended = createEndedCalls();
  let held: { callId: string; span: TraceSpan; atMs: number } | undefined;

  function innerOf({ parentCallId }: HarnessEvent): TraceSpan | undefined {
    if (parentCallId === undefined) return undefined;
    return subagents.get(parentCallId) ?? calls.get(parentCallId);
  }

  function parentOf(event: HarnessEvent): string {
    return (innerOf(event) ?? ended.get(event.parentCallId) ?? turns.get(event.turnId) ?? root).spanId;
  }

  function release(): void {
    if (held !== undefined) tree.close(held.span, held.atMs);
    held = undefined;
  }

  return {
    ...tree,
    root,
    turns,
    calls,
    requests,
    scopeOf: (event) => innerOf(event) ?? turns.get(event.turnId) ?? root,
    parentOf,
    subagent(event, startMs, name) {
      const ids = [event.callId, event.subagentId].filter((id) => id !== undefined);
      const known = ids.flatMap((id) => subagents.get(id) ?? []).at(0);
      const call = calls.get(event.callId) ?? ended.get(event.callId);
      const begin = event.action === "subagent_started" ? startMs : (call?.startMs ?? startMs);
      const span = known ?? tree.open(name, begin, call?.spanId ?? parentOf(event), {});
      // Without an id, only the end of the run can end it.
      for (const id of ids.length === 0 ? [span.spanId] : ids) subagents.set(id, span);
      return span;
    },
    endSubagent(event, span, endMs) {
      for (const [id, each] of subagents) if (each === span) subagents.delete(id);
      if (event.callId !== undefined) ended.add(event.callId, span);
      tree.close(span, endMs);
    },
    hold(callId, span, endMs) {
      release();
      held = { callId, span, atMs: endMs };
      ended.add(callId, span);
    },
    held: (callId) => (callId !== undefined && held?.callId === callId ? held.span : undefined),
    release,
    closeAll(endMs, isCut) {
      release();
      const open = [...requests.all(), ...calls.all(), ...subagents.values(), ...turns.all()];
      for (const span of new Set(open)) {
        if (isCut) failSpan(span, "interrupted", "The end is missing");
        closeUnfinished(tree, span, endMs);
      }
    },
  };
}

/** Open spans of one kind, by the ids of the events. */
interface SpanSet {
  get(id: string | undefined): TraceSpan | undefined;
  /** An id that is used again ends the earlier span. */
  add(id: string, span: TraceSpan): TraceSpan;
  take(id: string): TraceSpan | undefined;
  all(): Iterable<TraceSpan>;
}

function createSpanSet(tree: SpanTree): SpanSet {
  const open = new Map<string, TraceSpan>();
  return {
    get: (id) => (id === undefined ? undefined : open.get(id)),
    add(id, span) {
      const earlier = open.get(id);
      if (earlier !== undefined) closeUnfinished(tree, earlier, span.startMs);
      open.set(id, span);
      return span;
    },
    take(id) {
      const span = open.get(id);
      open.delete(id);
      return span;
    },
    all: () => open.values(),
  };
}

function closeUnfinished(tree: SpanTree, span: TraceSpan, endMs: number): void {
  span.attributes["harness.unfinished"] = true;
  tree.close(span, endMs);
}

/** A call that has ended, as far as later events may refer to it: a subagent in the background goes on after its call. */
type EndedCall = Pick<TraceSpan, "spanId" | "startMs">;

const maxRemembered = 256;

function createEndedCalls(): {
  add(callId: string, call: EndedCall): void;
  get(callId: string | undefined): EndedCall | undefined;
} {
  const ended = new Map<string, EndedCall>();
  return {
    add(callId, { spanId, startMs }) {
      ended.set(callId, { spanId, startMs });
      const [oldest] = ended.keys();
      if (ended.size > maxRemembered && oldest !== undefined) ended.delete(oldest);
    },
    get: (callId) => (callId === undefined ? undefined : ended.get(callId)),
  };
}
