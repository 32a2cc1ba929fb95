import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink, TranslatorOptions } from "../../contract.js";
import { createMessageIds } from "../../shared/message-ids.js";
import { createPiMapping, type PiMapping } from "../mapping.js";

/** The turns of a stored session. Each has a mapping of Pi's stream of its own. */
export interface StoredTurns {
  /** Records of the stream that say the same as an entry. */
  pass(records: readonly JsonObject[], out: Sink): void;
  /** Without a prompt, the agent went on by itself. */
  begin(prompt: string | undefined, out: Sink): void;
  /** Begins a turn of the agent's own if none is open. */
  ensure(out: Sink): void;
  /** Ends a turn that nothing has ended: its last request failed, or it was cut off. */
  cut(out: Sink, how?: { isInterrupted: true }): void;
  /** Nothing follows the last answer. */
  complete(out: Sink): void;
  /** The answer with this id failed. It may be asked for again. */
  failed(id: string | undefined): void;
  /** The failed answer is asked for again. */
  retried(): void;
  flush(out: Sink): void;
  readonly hasFailed: boolean;
  readonly failedId: string | undefined;
  /** Calls without a result. */
  readonly openCalls: Set<string>;
}

export function createStoredTurns(options: TranslatorOptions): StoredTurns {
  const ids = createMessageIds();
  const openCalls = new Set<string>();
  let turn: PiMapping = createPiMapping(options, ids);
  let failure: { id: string | undefined } | undefined;

  function reset(): void {
    turn = createPiMapping(options, ids);
    openCalls.clear();
    failure = undefined;
  }

  function pass(records: readonly JsonObject[], out: Sink): void {
    for (const record of records) turn.record(record, out);
  }

  function begin(prompt: string | undefined, out: Sink): void {
    cut(out);
    out.live.beginTurn(prompt === undefined ? { origin: "agent" } : { prompt });
  }

  function cut(out: Sink, how?: { isInterrupted: true }): void {
    if (out.live.turnId === undefined) return;
    const isOver = failure !== undefined && how === undefined;
    if (how !== undefined) turn.forgetError();
    turn.flush?.(out);
    if (isOver) out.run.terminal = "failure";
    out.live.endTurn(isOver ? {} : { isInterrupted: true });
    reset();
  }

  return {
    pass,
    begin,
    ensure(out) {
      if (out.live.turnId === undefined) begin(undefined, out);
    },
    cut,
    complete(out) {
      pass([{ type: "agent_end" }, { type: "agent_settled" }], out);
      out.live.endTurn();
      reset();
    },
    failed(id) {
      failure = { id };
    },
    retried() {
      failure = undefined;
    },
    /** A turn that is still open was cut off, unless its request has failed for good. */
    flush(out) {
      if (failure !== undefined) cut(out);
      else turn.flush?.(out);
    },
    get hasFailed() {
      return failure !== undefined;
    },
    get failedId() {
      return failure?.id;
    },
    openCalls,
  };
}

/** The entry follows another one than the latest: the user went back to it. */
export function isBranch(entry: JsonObject, lastId: string | undefined): boolean {
  return asText(entry["parentId"]) !== lastId;
}
