import type { HarnessEvent } from "../events/event.js";
import type { CallNames } from "./call-names.js";

/** Where an event belongs, in the words of the formats for user interfaces. */
export interface EventPlace {
  toolCallId?: string;
  /** On what a subagent did: the call that started it. */
  parentToolCallId?: string;
  turnId?: string;
}

/** The fields of an event that are its own: without those that every event has, and with the ids of calls as the stream names them. */
export function fieldsOf<E extends HarnessEvent>(event: E, names: CallNames): EventFields<E> {
  const { type: _type, timestamp: _time, runId: _run, seq: _seq, ...rest } = event;
  const { sessionId: _session, line: _line, parentCallId: _parent, turnId: _turn, ...own } = rest;
  const fields: Record<string, unknown> = { ...own };
  delete fields["callId"];
  // The compiler cannot follow a field that only some events have.
  return Object.assign(fields, placeOf(event, names)) as unknown as EventFields<E>;
}

/** What `fieldsOf` gives. */
export type EventFields<E> = Omit<E, keyof Everywhere | "type" | "callId" | "turnId"> & EventPlace;

type Everywhere = Pick<
  HarnessEvent,
  "timestamp" | "runId" | "seq" | "sessionId" | "line" | "parentCallId" | "turnId"
>;

function placeOf(event: HarnessEvent, names: CallNames): EventPlace {
  const { parentCallId, turnId } = event;
  const callId = "callId" in event ? event.callId : undefined;
  return {
    ...(callId !== undefined && { toolCallId: names.of(callId) }),
    ...(parentCallId !== undefined && { parentToolCallId: names.of(parentCallId) }),
    ...(turnId !== undefined && { turnId }),
  };
}
