import { asNumber, asObject, asText, firstText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Mapping, Sink, TranslatorOptions } from "../contract.js";
import { createHeldErrors } from "./held-errors.js";
import { createItems, type ItemRecord } from "./items.js";
import { usageOfThread } from "./usage.js";

type Handle = (record: JsonObject, out: Sink) => void;

/** Codex `exec --json` (recorded with 0.166.0), and the records of older versions that are publicly known. */
export function createCodexMapping(options: TranslatorOptions): Mapping {
  const items = createItems();
  const errors = createHeldErrors();

  function begin(record: JsonObject, out: Sink): void {
    out.identify(firstText(record, ["thread_id", "session_id"]));
    out.session({ model: asText(record["model"]) });
  }

  /** A turn or a thread has ended. A failed one may say so only by its status. */
  function end(record: JsonObject, out: Sink): void {
    const turn = asObject(record["turn"]) ?? record;
    const status = asText(turn["status"]) ?? "";
    const usage = usageOfThread(record["usage"], options.isResumed ?? false);
    if (usage !== undefined) out.run.usage = { ...usage, line: out.lineNumber };
    if (failedStates.has(status) || (turn["error"] ?? null) !== null) return fail(turn, status, out);
    out.run.terminal = "success";
    out.run.terminalLine = out.lineNumber;
    out.run.failure = undefined;
    errors.overcome(out);
    out.consume(`${asText(record["type"])}: the run's usage`);
  }

  function fail(turn: JsonObject, status: string, out: Sink): void {
    out.run.terminal = "failure";
    out.run.terminalLine = out.lineNumber;
    const said = asText(asObject(turn["error"])?.["message"]) ?? asText(turn["error"]);
    errors.failed(said, status === "" ? "the turn failed" : `the turn ended as ${status}`, out);
    if (said === undefined && cancelledStates.has(status) && out.run.failure !== undefined)
      out.run.failure.kind = "cancelled";
  }

  const records: Readonly<Record<string, Handle>> = {
    "thread.started": begin,
    "thread.resumed": begin,
    "session.created": begin,
    "turn.started"(_record, out) {
      out.run.terminal = out.run.terminalLine = out.run.failure = undefined;
      out.consume("turn.started");
    },
    "turn.completed": end,
    "turn.failed": (record, out) => fail(record, "", out),
    /** The end of the run in versions that have no turns. It may repeat the answer. */
    "thread.completed"(record, out) {
      const answer = firstText(record, ["summary", "result"]);
      if (out.run.text === undefined && answer !== undefined) {
        out.run.text = answer;
        out.emit({ type: "agent", message: answer });
      }
      out.run.durationMs ??= asNumber(record["duration_ms"]);
      if (out.run.terminal === "failure") return out.consume("thread.completed: its turn has failed");
      end(record, out);
    },
    "item.started": (record, out) => items.started(itemIn(record), out),
    "item.updated": (record, out) => items.updated(itemIn(record), out),
    "item.completed": (record, out) => items.completed(itemIn(record), out),
    "item.created": (record, out) => items.created(itemIn(record), out),
    error(record, out) {
      const message = asText(record["message"]);
      if (message === undefined) return;
      if (isRetryNotice(message)) return out.emit({ type: "warning", message });
      errors.hold({ message, code: asText(record["code"]), line: out.lineNumber });
      out.consume("error: held until the turn ends, as the likely cause if it fails");
    },
  };

  return {
    record(record, out) {
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record, out);
    },
    /** If the process died before the turn could fail, the held error is the cause. */
    flush: errors.flush,
  };
}

function itemIn(record: JsonObject): ItemRecord {
  return { item: asObject(record["item"]) ?? {}, record };
}

/** The states of a turn that did not succeed. */
const cancelledStates: ReadonlySet<string> = new Set(["interrupted", "cancelled", "canceled", "aborted"]);
const failedStates: ReadonlySet<string> = new Set(["failed", "error", "errored", ...cancelledStates]);

/** `Reconnecting... 1/5 (…)`; older versions: `…; retrying 1/5 in 208ms…`. */
function isRetryNotice(message: string): boolean {
  return message.startsWith("Reconnecting...") || /\bretrying \d+\/\d+ in \d/.test(message);
}
