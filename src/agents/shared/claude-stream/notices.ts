import type { Sink } from "../../contract.js";
import type { MessageOf } from "./threads.js";

/**
 * Messages that Claude Code itself adds to the conversation (`<synthetic>`). Older versions announce a limit in this way and
 * repeat it in their failing result. So a notice waits for the next record: if that is such a result, the notice is dropped.
 */
export interface Notices {
  add(message: string, of: MessageOf, out: Sink): void;
  /** The message of a failure follows. */
  drop(message: string | undefined): void;
  /** Something else follows. */
  release(out: Sink): void;
}

export function createNotices(): Notices {
  let held: { message: string; of: MessageOf; line: number } | undefined;

  function release(out: Sink): void {
    if (held === undefined) return;
    const { message, of, line } = held;
    held = undefined;
    out.emit({ type: "agent", ...of, message, role: "system", line });
  }

  return {
    add(message, of, out) {
      release(out);
      held = { message, of, line: out.lineNumber };
      out.consume("assistant: a notice, emitted before the next record");
    },
    drop(message) {
      if (held?.of.parentCallId === undefined && held?.message.trim() === message?.trim()) held = undefined;
    },
    release,
  };
}
