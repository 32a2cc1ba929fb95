import { asArray, asObject, asText, isObject } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Mapping, Sink } from "../../contract.js";
import { geminiDialect, geminiTodoTools } from "../mapping.js";
import { isAnswer, latestCall, promptIn, subagentKey } from "./messages.js";
import { createThreads, type Threads } from "./threads.js";

interface State {
  readonly threads: Threads;
  /** Commands such as `/help` are not given to the model. Those that are begin a turn. */
  command: string | undefined;
  startedAt: string | undefined;
  endedAt: string | undefined;
  /** A turn has begun: the conversation is known from its beginning. */
  hasBegun: boolean;
}

/**
 * The files of a session (0.61.0). A prompt begins a turn. A message is written again when its calls are over, so only what follows says
 * whether it was the last one of its turn: the turn ends when the next one begins, or with the session.
 */
export function createGeminiStoreMapping(): Mapping {
  const threads = createThreads();
  const state: State = {
    threads,
    command: undefined,
    startedAt: undefined,
    endedAt: undefined,
    hasBegun: false,
  };
  return {
    record(record, out) {
      const subagentId = asText(record[subagentKey]);
      if (subagentId !== undefined) return threads.subagentLine(subagentId, record, out);
      // What subagents did has ended: their calls end before anything else follows.
      if (record["type"] !== undefined && !threads.main.isOpen(record)) threads.finishSubagents(out);
      const changed = asObject(record["$set"]);
      if (asText(record["$rewindTo"]) !== undefined) out.consume("$rewindTo: the user went back");
      else if (changed !== undefined) changedTo(state, changed, out);
      else if (record["type"] === undefined && asText(record["sessionId"]) !== undefined)
        header(state, record, out);
      else message(state, record, out);
    },
    /** The line of `.project_root`. */
    text(line, out) {
      if (/^(?:\/|[A-Za-z]:[\\/])/.test(line)) out.consume("the directory of the project");
    },
    flush(out) {
      threads.finishSubagents(out);
      end(state, out, { isLast: true });
    },
    todoTools: geminiTodoTools,
  };
}

function begin(state: State, prompt: string | undefined, record: JsonObject, out: Sink): void {
  end(state, out, { isLast: false });
  state.hasBegun = true;
  state.command = undefined;
  state.startedAt = state.endedAt = asText(record["timestamp"]);
  out.live.beginTurn(prompt === undefined ? { origin: "agent" } : { prompt });
}

/** A turn whose end is not in the file was cut off. If it is the last one, the frame ends it together with the session. */
function end({ threads, startedAt, endedAt }: State, out: Sink, { isLast }: { isLast: boolean }): void {
  threads.settle(out);
  if (out.live.turnId === undefined) return;
  const isOver = out.run.terminal !== undefined;
  if (isOver || !isLast) {
    const durationMs = between(startedAt, endedAt);
    out.live.endTurn({ durationMs, ...(!isOver && { isInterrupted: true }) });
  }
  threads.reset();
}

function between(from: string | undefined, to: string | undefined): number | undefined {
  const duration = Date.parse(to ?? "") - Date.parse(from ?? "");
  return duration >= 0 ? duration : undefined;
}

function header(state: State, record: JsonObject, out: Sink): void {
  out.identify(asText(record["sessionId"]));
  for (const one of asArray(record["messages"]) ?? []) if (isObject(one)) message(state, one, out);
  out.consume("the session");
}

/** The whole conversation, as it is now. All of it is known already, unless the file that began it is gone. */
function changedTo(state: State, changed: JsonObject, out: Sink): void {
  const messages = asArray(changed["messages"]);
  const isBeginning = !state.hasBegun;
  for (const one of isBeginning ? (messages ?? []) : [])
    if (isObject(one) && isAnswer(one)) message(state, one, out);
  out.consume(messages === undefined ? "$set" : "$set: the conversation as it is now");
}

function message(state: State, record: JsonObject, out: Sink): void {
  const type = asText(record["type"]) ?? "";
  if (Object.hasOwn(types, type)) types[type]?.(state, record, out);
}

const types: Readonly<Record<string, (state: State, record: JsonObject, out: Sink) => void>> = {
  user(state, record, out) {
    const prompt = promptIn(record);
    if (prompt === undefined) return out.consume("user: results of calls, or context for the model");
    if (!state.threads.isNew(record)) return out.consume("user: written again");
    const isCommand = /^\s*[/?]/.test(prompt);
    if (isCommand) state.command = prompt;
    else begin(state, prompt, record, out);
    out.consume(isCommand ? "user: a command" : "user: a prompt");
  },
  gemini(state, record, out) {
    const { threads } = state;
    if (out.live.turnId === undefined && threads.isKnown(record)) return out.consume("gemini: written again");
    if (out.live.turnId === undefined) begin(state, state.command, record, out);
    state.endedAt = latestCall(record) ?? asText(record["timestamp"]) ?? state.endedAt;
    threads.main.message(record, out);
  },
  /** Errors of requests, as the screen showed them. */
  error({ threads }, record, out) {
    const words = asText(record["content"]);
    if (words === undefined || !threads.isNew(record)) return out.consume("error: without words");
    const cause = geminiDialect.cause?.(words) ?? { message: words };
    out.emit({ type: "error", message: cause.message, code: cause.code });
    out.run.failure = { ...cause, isReported: true };
    threads.main.isComplete = false;
  },
  warning({ threads }, record, out) {
    const words = asText(record["content"]);
    if (words === undefined || !threads.isNew(record)) return out.consume("warning: without words");
    out.emit({ type: "warning", message: words });
  },
  info: (_state, _record, out) => out.consume("info: for the screen"),
};
