import type { EventOf, HarnessEvent } from "../../events/event.js";
import { exitCodeOf, exitCodes } from "../exit-codes.js";

/** How a session ended, for the exit code. */
export interface ChatEnd {
  note(events: readonly HarnessEvent[]): void;
  /**
   * As for a run: the outcome of the last turn. A session without a turn, one whose last turn was interrupted before it was ended,
   * and one that goes on elsewhere are successes: that is what was asked for.
   */
  exitCode(signal: NodeJS.Signals | undefined): number;
  readonly sessionId: string | undefined;
  /** False: the session was left, and goes on elsewhere. */
  readonly hasEnded: boolean;
}

export function createChatEnd(): ChatEnd {
  let result: EventOf<"result"> | undefined;
  let exited: EventOf<"exited"> | undefined;
  let sessionId: string | undefined;
  let hasTurn = false;
  let isInterrupted = false;
  return {
    note(events) {
      for (const event of events) {
        sessionId = event.sessionId ?? sessionId;
        if (event.type === "turn") hasTurn = true;
        if (event.type === "turn_end") isInterrupted = event.reason === "interrupted";
        if (event.type === "result") result = event;
        if (event.type === "exited") exited = event;
      }
    },
    exitCode(signal) {
      if (result === undefined || exited === undefined) return exitCodes.success;
      // The harness of a joined session was killed. Nothing about our own arguments was wrong.
      if (exited.reason === "interrupted") return exitCodes.runFailed;
      const isIdle = !hasTurn && exited.reason === "completed";
      const isLeft = isInterrupted && exited.reason !== "cancelled";
      return isIdle || isLeft ? exitCodes.success : exitCodeOf(result, exited, { signal });
    },
    get hasEnded() {
      return exited !== undefined;
    },
    get sessionId() {
      return sessionId;
    },
  };
}
