import * as v from "valibot";
import type { JsonObject, JsonValue } from "../text/json.js";

/** Parts of the schemas of events. */

/** Any JSON value. Typed by hand: the schema accepts what `JSON.parse` can return. */
export const anyJson = v.custom<JsonValue>((value) => value !== undefined);
/** Any JSON object. */
export const anyJsonObject = v.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);
export const lineNumber = v.pipe(v.number(), v.integer(), v.minValue(1));
export const duration = v.pipe(v.number(), v.minValue(0));
export const costUsd = v.exactOptional(v.pipe(v.number(), v.minValue(0)));
export const text = v.string();

/** On every event. */
export const common = {
  timestamp: v.pipe(text, v.isoTimestamp()),
  runId: text,
  /** 0, 1, 2 … in the run. */
  seq: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** The agent's own session id, once it is known. */
  sessionId: v.exactOptional(text),
  /** Number (from 1) of the raw record that the event came from. Absent if no line caused the event. */
  line: v.exactOptional(lineNumber),
  /** On events of a subagent: the call that started the subagent. */
  parentCallId: v.exactOptional(text),
  /** In a live session: the turn that the event belongs to. */
  turnId: v.exactOptional(text),
};

export const callId = v.exactOptional(text);
export const isSuccess = v.exactOptional(v.boolean());
/** Only on a cost that is not the agent's own figure, but the tokens times a price. */
export const costSource = v.exactOptional(v.literal("estimated"));
export const lineRange = { startLine: v.exactOptional(lineNumber), endLine: v.exactOptional(lineNumber) };
