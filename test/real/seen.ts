import type { EventOf, EventType, HarnessEvent } from "../../src/events/event.js";
import type { RecordedRequest } from "../../src/testing/index.js";
import { describeOperations } from "./describe-operation.js";
import type { Observed } from "./run-harness.js";
import type { Expected } from "./scenario.js";

/** An observed run, in the form of an expectation. */
export function seenIn(run: Observed): Expected & { operations: readonly string[] } {
  const [result] = ofType(run.events, "result");
  const [exited] = ofType(run.events, "exited");
  return {
    exitCode: run.exitCode ?? -1,
    reason: exited?.reason ?? (run.exitCode === null ? "interrupted" : "failed"),
    ...(result?.failure !== undefined && { failure: result.failure.kind }),
    ...(result?.text !== undefined && { text: result.text }),
    operations: describeOperations(run.events, run.workspace),
    unrecognised: unrecognisedIn(run.events),
    changes: changesOf(run),
    requests: conversationOf(run.requests).length,
  };
}

export function ofType<Type extends EventType>(events: readonly HarnessEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** The requests that advance the script. */
export function conversationOf(requests: readonly RecordedRequest[]): RecordedRequest[] {
  return requests.filter(({ api, answer }) => api !== undefined && answer.kind !== "side");
}

/** True if the model has sent a complete answer to one of them. */
export function hasAnswer(requests: readonly RecordedRequest[]): boolean {
  return conversationOf(requests).some(({ answer }) => answer.isComplete && answer.status === 200);
}

function changesOf({ before, after }: Observed): Record<string, string | null> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return Object.fromEntries(
    names.flatMap((name) => (before[name] === after[name] ? [] : [[name, after[name] ?? null]])),
  );
}

/** The tools of the calls that became `unknown` and no operation. */
function unrecognisedIn(events: readonly HarnessEvent[]): string[] {
  const recognised = new Set(
    events.flatMap((event) => ("callId" in event && !isCall(event) ? [event.callId] : [])),
  );
  const lines = new Set(ofType(events, "unknown").map(({ line }) => line));
  const calls = events.filter(isCall).filter(({ callId }) => !recognised.has(callId));
  return [...new Set(calls.filter(({ line }) => lines.has(line)).map(({ name }) => name))];
}

function isCall(event: HarnessEvent): event is EventOf<"tool_start"> | EventOf<"tool_end"> {
  return event.type === "tool_start" || event.type === "tool_end";
}
