import { asText, isObject } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import type { Mapping, Sink } from "../../contract.js";
import { createMessageIds } from "../../shared/message-ids.js";
import { createPiMapping } from "../mapping.js";
import { createAttempts } from "./attempts.js";
import { createDialogs } from "./dialogs.js";
import { createOpenTurn } from "./open-turn.js";
import { createPrompts } from "./prompts.js";
import { dialogKindOf } from "./requests.js";
import { createRpcSession } from "./session.js";

type Handle = (record: JsonObject, out: Sink) => void;
type Handlers = Readonly<Record<string, Handle>>;

/**
 * Pi `--mode rpc` (recorded with 0.74.2 and 0.87.1): the records of `--mode json` without its header, answers to commands, and
 * dialogs of extensions.
 */
export function createPiRpcMapping(): Mapping {
  const { events, sent, received, turn, isSessionKnown } = connect();

  function dispatch(handlers: Handlers, record: JsonObject, out: Sink): boolean {
    const type = asText(record["type"]) ?? "";
    if (!Object.hasOwn(handlers, type)) return false;
    handlers[type]?.(record, out);
    return true;
  }

  return {
    record(record, out) {
      if (!dispatch(received, record, out)) events().record(record, out);
    },
    skip: (line) => events().skip?.(line),
    raw: (line, out) => isSessionKnown() && (events().raw?.(line, out) ?? false),
    sent(line, out) {
      const command = parseJson(line);
      if (isObject(command)) dispatch(sent, command, out);
    },
    flush: turn.close,
  };
}

/** Each turn has a mapping of its own, so that its figures are those of the turn. */
function connect() {
  const ids = createMessageIds();
  let events = createPiMapping(undefined, ids);
  const session = createRpcSession();
  const dialogs = createDialogs();
  const turn = createOpenTurn(session, {
    current: () => events,
    next() {
      events = createPiMapping(undefined, ids);
      dialogs.turnEnded();
    },
  });
  const prompts = createPrompts(turn, session);
  const pass: Handle = (record, out) => events.record(record, out);
  const attempts = createAttempts(turn, pass);

  /** `before` sees the record first. What is emitted must not wait for the model to be named. */
  const speaking =
    (before: Handle = () => {}): Handle =>
    (record, out) => {
      session.require(out);
      before(record, out);
      pass(record, out);
    };

  function meet(record: JsonObject, out: Sink): void {
    pass(record, out);
    session.met(record, out);
  }

  const received: Handlers = {
    response(record, out) {
      if (record["command"] === "get_state") session.state(record, out);
      prompts.answered(record, out);
      attempts.answered(out);
      out.consume(`response: ${asText(record["command"]) ?? "unnamed"}`);
    },
    agent_start: attempts.started,
    agent_end: attempts.ended,
    agent_settled: attempts.settled,
    auto_retry_start: attempts.retry,
    auto_retry_end: attempts.retried,
    compaction_start: attempts.compacting,
    auto_compaction_start: attempts.compacting,
    compaction_end: attempts.compacted,
    auto_compaction_end: attempts.compacted,
    message_start: meet,
    message_end: meet,
    message_update: speaking(),
    tool_execution_start: speaking(dialogs.callStarted),
    tool_execution_end: speaking(dialogs.callEnded),
    extension_ui_request(record, out) {
      if (dialogKindOf(record) !== undefined) session.require(out);
      dialogs.request(record, out);
    },
    extension_error: warnOfExtension,
  };

  const sent: Handlers = {
    prompt: prompts.prompted,
    steer: prompts.steered,
    follow_up: prompts.steered,
    abort: (_command, out) => turn.interrupt(out),
    extension_ui_response: (record, out) => dialogs.answered(record, turn.isInterrupted, out),
  };

  return { events: () => events, sent, received, turn, isSessionKnown: session.isKnown };
}

function warnOfExtension(record: JsonObject, out: Sink): void {
  const where = [asText(record["extensionPath"]), asText(record["event"])].filter(Boolean).join(", ");
  const message = asText(record["error"]) ?? "an extension failed";
  const code = "extension_error";
  out.emit({ type: "warning", message: where === "" ? message : `${message} (${where})`, code });
}
