import { asText, isObject } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import type { Mapping, Sink } from "../../contract.js";
import { createMessageIds } from "../../shared/message-ids.js";
import { createPiMapping } from "../mapping.js";
import { createDialogs } from "./dialogs.js";
import { dialogKindOf } from "./requests.js";
import { createRpcSession } from "./session.js";
import { createRpcTurn } from "./turn.js";

type Handle = (record: JsonObject, out: Sink) => void;

/**
 * Pi `--mode rpc` (recorded with 0.74.2 and 0.87.1): the records of `--mode json` without its header, answers to commands, and
 * dialogs of extensions. Each turn has a mapping of its own, so that its figures are those of the turn.
 */
export function createPiRpcMapping(): Mapping {
  const ids = createMessageIds();
  let events = createPiMapping(undefined, ids);
  const session = createRpcSession();
  const dialogs = createDialogs();
  const turn = createRpcTurn(session, {
    current: () => events,
    next() {
      events = createPiMapping(undefined, ids);
      dialogs.turnEnded();
    },
  });

  const received: Readonly<Record<string, Handle>> = {
    response(record, out) {
      if (record["command"] === "get_state") session.state(record, out);
      turn.answered(record, out);
      out.consume(`response: ${asText(record["command"]) ?? "unnamed"}`);
    },
    agent_start: turn.started,
    agent_end: turn.attemptEnded,
    agent_settled: turn.settled,
    auto_retry_start: turn.retry,
    auto_retry_end: turn.retried,
    compaction_start: turn.compacting,
    auto_compaction_start: turn.compacting,
    compaction_end: turn.compacted,
    auto_compaction_end: turn.compacted,
    message_start: meet,
    message_end: meet,
    message_update(record, out) {
      session.require(out);
      events.record(record, out);
    },
    tool_execution_start(record, out) {
      session.require(out);
      dialogs.callStarted(record);
      events.record(record, out);
    },
    tool_execution_end(record, out) {
      session.require(out);
      dialogs.callEnded(record, out);
      events.record(record, out);
    },
    extension_ui_request(record, out) {
      if (dialogKindOf(record) !== undefined) session.require(out);
      dialogs.request(record, out);
    },
    extension_error(record, out) {
      const about = [asText(record["extensionPath"]), asText(record["event"])].filter(Boolean).join(", ");
      const message = asText(record["error"]) ?? "an extension failed";
      out.emit({
        type: "warning",
        message: about === "" ? message : `${message} (${about})`,
        code: "extension_error",
      });
    },
  };

  function meet(record: JsonObject, out: Sink): void {
    events.record(record, out);
    session.met(record, out);
  }

  const sent: Readonly<Record<string, Handle>> = {
    prompt: turn.prompted,
    steer: turn.steered,
    follow_up: turn.steered,
    abort: turn.interrupted,
    extension_ui_response: (record, out) => dialogs.answered(record, turn.isInterrupted(), out),
  };

  return {
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(received, type)) received[type]?.(record, out);
      else events.record(record, out);
    },
    skip: (line) => events.skip?.(line),
    raw: (line, out) => session.isKnown() && (events.raw?.(line, out) ?? false),
    sent(line, out) {
      const command = parseJson(line);
      if (!isObject(command)) return;
      const type = asText(command["type"]) ?? "";
      if (Object.hasOwn(sent, type)) sent[type]?.(command, out);
    },
    flush: turn.closed,
  };
}
