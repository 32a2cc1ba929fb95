import type { Sink, TurnEnded } from "../../contract.js";
import type { PiMapping } from "../mapping.js";
import type { RpcSession } from "./session.js";

/** `sent`: Pi has not begun with the prompt. `over`: it has stopped, and may go on by itself. */
export type Phase = "none" | "sent" | "running" | "over";

/** The turn that is under way. */
export interface OpenTurn {
  phase: Phase;
  /** The command that began it, and whether Pi has taken it. */
  readonly prompt: { id: string | undefined; isAccepted: boolean } | undefined;
  readonly isInterrupted: boolean;
  /** Without a text Pi began it by itself. A turn that is still open ends first. */
  begin(text: string | undefined, id: string | undefined, out: Sink): void;
  /** For what is said between two turns: Pi passes it on with the next prompt. */
  keep(message: string): void;
  interrupt(out: Sink): void;
  end(out: Sink, how?: TurnEnded): void;
  /** No run began with the prompt: an extension has handled it, or Pi has refused it. */
  endUnstarted(error: string | undefined, out: Sink): void;
  /** Drops the failed request of an interrupted turn. True if there is one: the interrupt has cut it off. */
  forgetCut(): boolean;
  /** The process has ended. */
  close(out: Sink): void;
}

/** The mapping of the turn that runs, and of the next one. */
export interface TurnMappings {
  current(): PiMapping;
  next(): void;
}

export function createOpenTurn(session: RpcSession, mappings: TurnMappings): OpenTurn {
  let kept: string[] = [];
  const turn: { -readonly [K in keyof OpenTurn]: OpenTurn[K] } = {
    phase: "none",
    prompt: undefined,
    isInterrupted: false,
    begin(text, id, out) {
      if (turn.phase !== "none") turn.end(out);
      out.live.beginTurn(text === undefined ? { origin: "agent" } : { prompt: text });
      turn.phase = text === undefined ? "running" : "sent";
      turn.prompt = { id, isAccepted: false };
      for (const message of kept) session.say(message, out);
      kept = [];
    },
    keep: (message) => void kept.push(message),
    interrupt(out) {
      out.live.interruptTurn();
      turn.isInterrupted = turn.phase !== "none";
    },
    end(out, how = {}) {
      session.require(out);
      const wasCut = turn.forgetCut();
      mappings.current().flush?.(out);
      out.live.endTurn(wasCut ? { ...how, isInterrupted: true } : how);
      mappings.next();
      turn.phase = "none";
      turn.prompt = undefined;
      turn.isInterrupted = false;
    },
    endUnstarted(error, out) {
      out.run.terminal = error === undefined ? "success" : "failure";
      out.run.terminalLine = out.lineNumber;
      if (error !== undefined) out.run.failure = { message: error, isReported: false };
      turn.end(out);
    },
    forgetCut: () => turn.isInterrupted && mappings.current().forgetError(),
    close(out) {
      if (turn.phase === "over") return turn.end(out);
      turn.forgetCut();
      mappings.current().flush?.(out);
    },
  };
  return turn;
}
