import type { ReportedFailure } from "../../events/run-state.js";
import { asFlag, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import type { HeldError } from "./held-error.js";

type Handle = (record: JsonObject, out: Sink) => void;

/**
 * The attempts of a run, and when it is over. Each attempt is an `agent_start` … `agent_end`. More attempts follow after a
 * failed request and after compaction. In 0.87 `agent_end` says whether a retry follows, and `agent_settled` that
 * nothing follows. In 0.74 the last `agent_end` is the end. Pi may then exit in the middle of a compaction that it no
 * longer needs, or that would have saved the run.
 */
export interface Life {
  start: Handle;
  end: Handle;
  settled: Handle;
  retry: Handle;
  retried: Handle;
  compact: Handle;
  compacted: Handle;
}

export function createLife(error: HeldError): Life {
  let isAttemptOver = false;
  let knowsRetries = false;

  function decide(out: Sink): void {
    if (!isAttemptOver) return;
    out.run.terminal = error.isHeld() || out.run.failure !== undefined ? "failure" : "success";
    out.run.terminalLine = out.lineNumber;
  }

  return {
    start(_record, out) {
      error.supersede(out);
      isAttemptOver = false;
      out.run.terminal = undefined;
      out.run.failure = undefined;
      out.consume("agent_start");
    },
    end(record, out) {
      knowsRetries = asFlag(record["willRetry"]) !== undefined;
      isAttemptOver = asFlag(record["willRetry"]) !== true;
      decide(out);
      out.consume("agent_end: messages that were already reported");
    },
    /** 1.4.0 says whether somebody aborted the run. The last answer may be complete even then. */
    settled(record, out) {
      error.report(out);
      if (asFlag(record["aborted"]) === true) out.run.failure ??= aborted;
      decide(out);
      out.consume("agent_settled");
    },
    retry(record, out) {
      isAttemptOver = false;
      out.run.terminal = undefined;
      error.retry(record, out);
    },
    retried(record, out) {
      if (asFlag(record["success"]) === false) error.report(out);
      out.consume("auto_retry_end");
    },
    /** A compaction may take long and lead to another attempt, so the outcome is still open. */
    compact(_record, out) {
      if (error.isHeld() || knowsRetries) out.run.terminal = undefined;
      out.consume("compaction_start");
    },
    compacted(record, out) {
      if (asFlag(record["willRetry"]) !== true) decide(out);
      const message = asText(record["errorMessage"]);
      if (message === undefined) return out.consume("compaction_end");
      out.emit({ type: "warning", message, code: "compaction_failed" });
    },
  };
}

const aborted: ReportedFailure = { message: "the run was aborted", kind: "cancelled", isReported: false };
