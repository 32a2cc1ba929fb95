import type { Sink } from "../contract.js";
import { causeOf } from "./cause.js";

interface HeldError {
  message: string;
  code: string | undefined;
  line: number;
}

/**
 * Top-level `error` records. Codex prints them before it knows how the turn ends. If the turn fails, the last error is the
 * likely cause, and the failure repeats it. If the turn succeeds, the errors are emitted as warnings. None is lost.
 */
export interface HeldErrors {
  hold(error: HeldError): void;
  /** The turn has succeeded. */
  overcome(out: Sink): void;
  /** The turn has failed. `fallback` is the message if no record gives a reason. */
  failed(said: string | undefined, fallback: string, out: Sink): void;
  /** The process has ended. */
  flush(out: Sink): void;
}

export function createHeldErrors(): HeldErrors {
  let held: HeldError[] = [];

  function take(): HeldError[] {
    const taken = held;
    held = [];
    return taken;
  }

  function warn(errors: readonly HeldError[], out: Sink): void {
    for (const { line, ...error } of errors) out.emit({ type: "warning", ...toReport(error), line });
  }

  return {
    hold(error) {
      held.push(error);
    },
    overcome(out) {
      warn(take(), out);
    },
    failed(said, fallback, out) {
      const errors = take();
      const last = errors.at(-1);
      const message = said ?? last?.message ?? fallback;
      warn(
        errors.filter((error) => !message.includes(error.message)),
        out,
      );
      fail(
        { message, code: last !== undefined && message.includes(last.message) ? last.code : undefined },
        out,
      );
    },
    flush(out) {
      const errors = take();
      const last = errors.pop();
      warn(errors, out);
      if (last !== undefined) fail(last, out, last.line);
    },
  };
}

function toReport({ message, code }: { message: string; code: string | undefined }) {
  const cause = causeOf(message);
  return { message: cause.message, code: cause.code ?? code };
}

/** `line` is the line of the error. Left out: the current line. */
function fail(error: { message: string; code: string | undefined }, out: Sink, line?: number): void {
  const report = toReport(error);
  out.run.failure = { ...report, isReported: true };
  out.emit({ type: "error", ...report, line });
}
