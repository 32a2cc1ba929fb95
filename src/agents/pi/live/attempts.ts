import { asFlag, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { OpenTurn } from "./open-turn.js";

type Handle = (record: JsonObject, out: Sink) => void;

/**
 * The runs of Pi inside a turn, and where the turn ends. Since 0.87 `agent_settled` is the end. In 0.74 it is the last
 * `agent_end`, and only the next record says that it was the last: a retry or a compaction is announced at once, and
 * the answer to any command comes after that. The peer asks for the state, so an answer always follows.
 */
export interface Attempts {
  started: Handle;
  ended: Handle;
  settled: Handle;
  retry: Handle;
  retried: Handle;
  compacting: Handle;
  compacted: Handle;
  /** A command was answered. */
  answered(out: Sink): void;
}

/** `pass` gives a record to the mapping of the turn. */
export function createAttempts(turn: OpenTurn, pass: Handle): Attempts {
  /** Pi prints `agent_settled`. */
  let settles = false;
  let isCompacting = false;

  /** Late records must not decide about the next turn. */
  function during(handle: Handle): Handle {
    return (record, out) => {
      const isLate = turn.phase === "none" || turn.phase === "sent";
      if (isLate) out.consume(`${asText(record["type"])}: of an earlier turn`);
      else handle(record, out);
    };
  }

  return {
    started(record, out) {
      if (turn.phase === "none") turn.begin(undefined, undefined, out);
      turn.phase = "running";
      pass(record, out);
    },
    ended: during((record, out) => {
      const willRetry = asFlag(record["willRetry"]);
      settles = willRetry !== undefined;
      turn.phase = willRetry === true ? "running" : "over";
      pass(record, out);
    }),
    settled: during((record, out) => {
      const wasCut = turn.forgetCut();
      pass(record, out);
      turn.end(out, wasCut || asFlag(record["aborted"]) === true ? { isInterrupted: true } : {});
    }),
    retry: during((record, out) => {
      turn.phase = "running";
      pass(record, out);
    }),
    /** A retry that is cancelled during its delay has no run of its own. */
    retried: during((record, out) => {
      pass(record, out);
      if (asFlag(record["success"]) !== false) return;
      turn.phase = "over";
      const message = asText(record["finalError"]) ?? "the request failed";
      out.run.failure ??= { message, isReported: false };
    }),
    compacting(record, out) {
      isCompacting = true;
      pass(record, out);
    },
    compacted(record, out) {
      isCompacting = false;
      if (turn.phase === "over" && asFlag(record["willRetry"]) === true) turn.phase = "running";
      pass(record, out);
    },
    answered(out) {
      if (turn.phase === "over" && !settles && !isCompacting) turn.end(out);
    },
  };
}
