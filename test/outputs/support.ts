import * as v from "valibot";
import { type EventOf, type EventType, HarnessEvent } from "../../src/events/event.js";
import type { Format } from "../../src/outputs/contract.js";

/** An event without the fields that tests rarely care about. */
export type Given = {
  [T in EventType]: Omit<EventOf<T>, "timestamp" | "runId" | "seq"> & { timestamp?: string };
}[EventType];

export const timestamp = "2026-01-01T00:00:01.000Z";
export const timestamp_ms = 1767225601000;
export const runId = "r1";

/** Events of the run `r1`, valid under the vocabulary. */
export function eventsOf(...given: Given[]): HarnessEvent[] {
  return given.map((event, seq) => v.parse(HarnessEvent, { timestamp, runId, seq, ...event }));
}

export const started: Given = { type: "started", agent: "claude", cwd: "/repo" };
export const succeeded: Given = { type: "result", isSuccess: true };
export const completed: Given = { type: "exited", exitCode: 0, reason: "completed" };

export function failed(message: string): Given {
  return { type: "result", isSuccess: false, failure: { kind: "crash", message } };
}
export const exitedWithOne: Given = { type: "exited", exitCode: 1, reason: "failed" };

/** All items of a run whose events come one by one instead of line by line. */
export function itemsOneByOne<T>(format: Format<T>, events: readonly HarnessEvent[]): T[] {
  const view = format.create();
  return [...events.flatMap((event) => view.push([event])), ...(view.end?.() ?? [])];
}
