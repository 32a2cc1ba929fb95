import { asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { failed } from "./failures.js";
import { announce, isLate, type SessionState } from "./session-state.js";
import type { Thread } from "./threads.js";
import { endIfOver } from "./turns.js";

/** A message without its parts, whenever it changes. */
export function translateMessage(state: SessionState, thread: Thread, info: JsonObject, out: Sink): void {
  const id = asText(info["id"]) ?? "";
  if (info["role"] === "user") userMessage(state, thread, { id, info }, out);
  else assistantMessage(state, thread, { id, info }, out);
}

interface Message {
  id: string;
  info: JsonObject;
}

/** It names the model that will answer. */
function userMessage(state: SessionState, thread: Thread, { id, info }: Message, out: Sink): void {
  state.userMessages.add(id);
  out.consume("message.updated: of the user");
  if (!thread.isMain || !state.turn.userMessage(id) || out.live.turnId === undefined) return;
  announce(state, out, modelOf(asObject(info["model"]) ?? {}));
}

function modelOf({ providerID, modelID }: JsonObject): string | undefined {
  const model = asText(modelID);
  const provider = asText(providerID);
  return model === undefined || provider === undefined ? model : `${provider}/${model}`;
}

/** A new message while no turn runs: the agent goes on by itself, as Kilo does when a subagent in the background reports. */
function assistantMessage(state: SessionState, thread: Thread, { id, info }: Message, out: Sink): void {
  const error = asObject(info["error"]);
  const isComplete = error !== undefined || asNumber(asObject(info["time"])?.["completed"]) !== undefined;
  const isNew = thread.isMain && state.turn.assistantMessage(id, isComplete);
  if (isNew && !isComplete && isLate(thread, out)) {
    announce(state, out);
    out.live.beginTurn({ origin: "agent" });
    state.turn.beganByItself();
  }
  if (error !== undefined && !isLate(thread, out)) failed(state, thread, error, out);
  out.consume("message.updated: of the model");
  if (thread.isMain) endIfOver(state, out);
}

type Handle = (state: SessionState, thread: Thread, part: JsonObject, out: Sink) => void;

/** A part of a message, whenever it changes. */
export function translatePart(state: SessionState, thread: Thread, part: JsonObject, out: Sink): void {
  const type = asText(part["type"]) ?? "";
  if (state.userMessages.has(asText(part["messageID"]) ?? ""))
    return out.consume(`${type}: of a prompt, which was reported when it was sent`);
  if (isLate(thread, out)) return out.consume(`${type}: of a turn that has ended`);
  const handle = Object.hasOwn(parts, type) ? parts[type] : undefined;
  if (handle === undefined) return out.emit({ type: "unknown", raw: { part } });
  announce(state, out);
  handle(state, thread, part, out);
}

const parts: Readonly<Record<string, Handle>> = {
  text: ({ speech }, thread, part, out) => speech.updated(part, thread, out),
  reasoning: ({ speech }, thread, part, out) => speech.updated(part, thread, out),
  tool({ calls, requests }, thread, part, out) {
    calls.updated(part, thread, out);
    requests.callKnown(out);
  },
  "step-start"({ speech }, thread, part, out) {
    thread.errors.clear();
    speech.stepStarted(thread, out);
    thread.parts.stepStart(part, { part }, out);
  },
  "step-finish"({ endedSteps }, thread, part, out) {
    const id = asText(part["id"]);
    if (id !== undefined && endedSteps.has(id)) return out.consume("step-finish: counted before");
    if (id !== undefined) endedSteps.add(id);
    thread.parts.stepFinish(part, { part }, out);
  },
  ...Object.fromEntries(
    ["agent", "compaction", "file", "patch", "retry", "snapshot", "subtask"].map((type): [string, Handle] => [
      type,
      (_state, _thread, _part, out) => out.consume(`${type}: other events say what it means`),
    ]),
  ),
};

/** A piece of a part. */
export function translateDelta(state: SessionState, thread: Thread, properties: JsonObject, out: Sink): void {
  if (isLate(thread, out)) return out.consume("message.part.delta: of a turn that has ended");
  announce(state, out);
  state.speech.delta(properties, thread, out);
}
