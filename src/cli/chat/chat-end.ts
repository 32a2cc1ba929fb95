import type { EventOf, HarnessEvent } from "../../events/event.js";
import { exitCodeOf, exitCodes } from "../exit-codes.js";

/** How a session ended, for the exit code. */
export interface ChatEnd {
  note(events: readonly HarnessEvent[]): void;
  /** As for a run: the outcome of the last turn. A session without a turn, or one that goes on elsewhere, is a success. */
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
  return {
    note(events) {
      for (const event of events) {
        sessionId = event.sessionId ?? sessionId;
        if (event.type === "turn") hasTurn = true;
        if (event.type === "result") result = event;
        if (event.type === "exited") exited = event;
      }
    },
    exitCode(signal) {
      if (result === undefined || exited === undefined) return exitCodes.success;
      const isIdle = !hasTurn && exited.reason === "completed";
      return isIdle ? exitCodes.success : exitCodeOf(result, exited, signal);
    },
    get hasEnded() {
      return exited !== undefined;
    },
    get sessionId() {
      return sessionId;
    },
  };
}
