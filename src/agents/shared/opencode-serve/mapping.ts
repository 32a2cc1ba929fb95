import { asArray, asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Mapping, Sink } from "../../contract.js";
import type { Dialect } from "../opencode-stream/dialect.js";
import { readTodos } from "../todos.js";
import { createExchange } from "./exchange.js";
import { failed, serverFailed } from "./failures.js";
import { readServerLine } from "./lines.js";
import { translateDelta, translateMessage, translatePart } from "./messages.js";
import { quietEvents } from "./quiet-events.js";
import { announce, createSessionState, described, type SessionState } from "./session-state.js";
import { sessionOf, type Thread } from "./threads.js";
import { busy, conclude, drained, idle } from "./turns.js";

/** An event of a session that belongs to ours. */
type Handle = (state: SessionState, thread: Thread, properties: JsonObject, out: Sink) => void;

/**
 * The stream of `opencode serve` and `kilo serve`: requests that harness sent (`POST /path {json}`), their answers
 * (`HTTP status body`) and the server's events (`SSE {json}`).
 */
export function createServeMapping(dialect: Dialect): Mapping {
  const state = createSessionState(dialect);
  const exchange = createExchange(state);

  return {
    /** Lines of the connection are not JSON, and what they say is not the program's own words. */
    raw(line, out) {
      const read = readServerLine(line);
      if (read === undefined) return false;
      if (read.kind === "answer") exchange.answered(read, out);
      else if (read.event === undefined) out.emit({ type: "unknown", raw: line });
      else translateEvent(state, read.event, out);
      return true;
    },
    /** Standard output: the address, and a warning if no password is set. */
    text(line, out) {
      if (isGreeting.test(line)) out.consume("the server's address");
    },
    record(record, out) {
      out.emit({ type: "unknown", raw: record });
    },
    sent: exchange.sent,
    flush(out) {
      if (out.live.turnId !== undefined) conclude(state, out);
    },
  };
}

const isGreeting = /\bserver listening on http|^Warning: \w+_SERVER_PASSWORD is not set/;

function translateEvent(state: SessionState, event: JsonObject, out: Sink): void {
  const type = asText(event["type"]) ?? "";
  const properties = asObject(event["properties"]) ?? {};
  if (type === "server.heartbeat") {
    state.requests.release(out);
    return out.consume(type);
  }
  if (quietEvents.has(type)) return out.consume(`${type}: not about the conversation`);
  if (type === "session.created" || type === "session.updated") {
    described(state, asObject(properties["info"]) ?? {});
    return out.consume(type);
  }
  const sessionId = sessionOf(properties);
  const thread = state.threads.find(sessionId);
  const handle = Object.hasOwn(events, type) ? events[type] : undefined;
  if (sessionId !== undefined && thread === undefined) return out.consume("an event of another session");
  if (handle !== undefined && thread !== undefined) return handle(state, thread, properties, out);
  if (type === "session.error") return serverFailed(properties, out);
  out.emit({ type: "unknown", raw: event });
}

const events: Readonly<Record<string, Handle>> = {
  "message.updated"(state, thread, properties, out) {
    translateMessage(state, thread, asObject(properties["info"]) ?? {}, out);
  },
  "message.part.updated"(state, thread, properties, out) {
    translatePart(state, thread, asObject(properties["part"]) ?? {}, out);
  },
  "message.part.delta": translateDelta,
  "session.status"(state, thread, { status }, out) {
    const fields = asObject(status) ?? {};
    const type = asText(fields["type"]);
    if (type === "idle") return idle(state, thread, out);
    if (type === "busy") return busy(state, thread, out);
    if (type === "retry") return out.emit(retryNotice(thread, fields));
    out.consume(`session.status: ${type ?? "without a type"}`);
  },
  "session.idle": (state, thread, _properties, out) => idle(state, thread, out),
  "session.error": (state, thread, { error }, out) => failed(state, thread, error ?? null, out),
  "session.queue.changed"(state, thread, { queued }, out) {
    if (thread.isMain) state.turn.queued(textsOf(queued));
    out.consume("session.queue.changed");
  },
  "session.drain.interrupted": (state, thread, _properties, out) => drained(state, thread, out),
  "permission.asked"(state, thread, properties, out) {
    announce(state, out);
    state.requests.permissionAsked(properties, thread, out);
  },
  "permission.replied"(state, _thread, { requestID }, out) {
    state.requests.settled(asText(requestID) ?? "", out);
  },
  "question.asked"(state, thread, properties, out) {
    announce(state, out);
    state.requests.questionAsked(properties, thread, out);
  },
  "question.replied"(state, _thread, { requestID }, out) {
    state.requests.settled(asText(requestID) ?? "", out);
  },
  "question.rejected"(state, _thread, { requestID }, out) {
    state.requests.settled(asText(requestID) ?? "", out);
  },
  "todo.updated"(state, { parentCallId }, { todos }, out) {
    announce(state, out);
    out.plan(readTodos(todos) ?? [], { parentCallId });
    out.consume("todo.updated: the list is the same");
  },
};

function textsOf(value: JsonValue | undefined): string[] {
  return (asArray(value) ?? []).flatMap((one) => asText(one) ?? []);
}

/** The request to the model failed and is made again. */
function retryNotice({ parentCallId }: Thread, fields: JsonObject) {
  const why = asText(fields["message"]) ?? "no reason given";
  const attempt = asNumber(fields["attempt"]);
  const message = `request failed (${why}): retry${attempt === undefined ? "" : ` ${attempt}`}`;
  return { type: "warning" as const, message, parentCallId };
}
