import type { EventOf, HarnessEvent } from "../../events/event.js";
import { isOperation, type OperationEvent } from "../../events/operation.js";
import type { JsonObject } from "../../text/json.js";
import { createUnfinishedCalls } from "../unfinished-calls.js";
import { toAcpMeta } from "./prompt-answer.js";
import type { AcpUpdate } from "./schema.js";
import { kindOfOperation, locationOf } from "./tool-calls.js";
import { createSessionUpdates, isOwn, type SessionUpdates } from "./updates.js";

/**
 * The updates of a run with nothing left out: what an editor has no use for is in `_meta`. What has no update of its own is
 * a `session_info_update` that changes nothing and has the event in its `_meta`.
 */
export interface WholeUpdates {
  of(event: HarnessEvent): AcpUpdate[];
  /** Ends the calls that are still open. */
  close(): AcpUpdate[];
}

export function createWholeUpdates(cwd: string): WholeUpdates {
  const updates = createSessionUpdates({ cwd, canNotice: true, hasPrompts: true });
  const unfinished = createUnfinishedCalls();
  /** The client's ids of calls that have begun and not ended, with their number. Two calls may share an id. */
  const open = new Set<string>();
  /** The call that has ended last. What it did follows it. */
  let last: { callId: string; toolCallId: string; isAnnounced: boolean } | undefined;
  const announced = new Set<string>();

  function begun(event: EventOf<"tool_start">): AcpUpdate[] {
    unfinished.started(event);
    const { name, parentCallId, operations = [] } = event;
    return updates.of(event).map((update) => {
      if (update.sessionUpdate !== "tool_call") return update;
      open.add(update.toolCallId);
      if (operations.length > 0) announced.add(update.toolCallId);
      return { ...update, name, ...withMeta({ ...(parentCallId !== undefined && { parentCallId }) }) };
    });
  }

  function ended(event: EventOf<"tool_end">): AcpUpdate[] {
    const { callId, parentCallId, isSuccess, output } = event;
    const before = open.has(updates.callIdOf(callId)) ? [] : begun(startOf(event));
    const toolCallId = updates.callIdOf(callId);
    const hasEnded = !unfinished.isUnfinished(event);
    open.delete(toolCallId);
    last = { callId, toolCallId, isAnnounced: announced.delete(toolCallId) };
    const meta = withMeta({
      ...(parentCallId !== undefined && { parentCallId }),
      ...(isSuccess === undefined && { outcome: hasEnded ? "unknown" : "unfinished" }),
    });
    const after = updates.of(event).map((update): AcpUpdate => {
      if (update.sessionUpdate !== "tool_call_update") return update;
      const status = (isSuccess ?? hasEnded) ? ("completed" as const) : ("failed" as const);
      return { ...update, status, ...(output !== undefined && { rawOutput: output }), ...meta };
    });
    return [...before, ...after];
  }

  /** What a call did, with the exit code and the outcome that the protocol has no field for. */
  function done(event: OperationEvent): AcpUpdate[] {
    const { callId } = event;
    if (callId === undefined || last?.callId !== callId || event.type === "orchestration")
      return [asEvent(event)];
    const {
      timestamp: _,
      runId: __,
      seq: ___,
      sessionId: ____,
      line: _____,
      turnId: ______,
      ...operation
    } = event;
    return [
      {
        sessionUpdate: "tool_call_update",
        toolCallId: last.toolCallId,
        ...(!last.isAnnounced && {
          kind: kindOfOperation(event.type),
          locations: locationOf(operation, cwd),
        }),
        ...withMeta({ operation }),
      },
    ];
  }

  return {
    of: (event) => updatesFor(event, { begun, ended, done, updates }),
    close() {
      const left = [...open];
      open.clear();
      return left.map((toolCallId) => ({
        sessionUpdate: "tool_call_update",
        toolCallId,
        status: "failed",
        ...withMeta({ outcome: "unfinished" }),
      }));
    },
  };
}

interface Makers {
  begun(event: EventOf<"tool_start">): AcpUpdate[];
  ended(event: EventOf<"tool_end">): AcpUpdate[];
  done(event: OperationEvent): AcpUpdate[];
  updates: SessionUpdates;
}

function updatesFor(event: HarnessEvent, { begun, ended, done, updates }: Makers): AcpUpdate[] {
  if (isOperation(event)) return done(event);
  switch (event.type) {
    case "tool_start":
      return begun(event);
    case "tool_end":
      return ended(event);
    case "warning":
    case "error":
      return updates.of(event).map((update) => withFacts(update, event));
    case "text":
    case "thinking":
    case "agent":
    case "plan": {
      const isShown = isOwn(event) && !(event.type === "agent" && event.role === "system");
      return isShown ? updates.of(event) : [asEvent(event)];
    }
    default:
      return [asEvent(event)];
  }
}

/** An end without a beginning still is a call. */
function startOf({
  type: _,
  isSuccess: __,
  output: ___,
  ...rest
}: EventOf<"tool_end">): EventOf<"tool_start"> {
  return { type: "tool_start", ...rest };
}

function withFacts(
  update: AcpUpdate,
  { code, parentCallId }: EventOf<"warning"> | EventOf<"error">,
): AcpUpdate {
  if (update.sessionUpdate !== "notice") return update;
  const facts = { ...(code !== undefined && { code }), ...(parentCallId !== undefined && { parentCallId }) };
  return { ...update, ...withMeta(facts) };
}

/** An event that the protocol has no update for. */
export function asEvent(event: HarnessEvent): AcpUpdate {
  return asFacts({ event: { ...event } as unknown as JsonObject });
}

/** An update that changes nothing for a client, and has facts of ours. */
export function asFacts(facts: JsonObject): AcpUpdate {
  return { sessionUpdate: "session_info_update", _meta: { "harness-stream": facts } };
}

function withMeta(facts: JsonObject): { _meta?: { "harness-stream": JsonObject } } {
  const _meta = toAcpMeta(facts);
  return _meta === undefined ? {} : { _meta };
}
