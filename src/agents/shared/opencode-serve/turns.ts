import type { Sink } from "../../contract.js";
import { announce, type SessionState } from "./session-state.js";
import type { Thread } from "./threads.js";

/** A prompt was sent: it begins a turn, or joins the one that runs. */
export function prompted(state: SessionState, text: string, out: Sink): void {
  if (out.live.turnId !== undefined && state.turn.isIdle) endTurn(state, out);
  state.turn.prompted();
  if (out.live.turnId === undefined) return out.live.beginTurn({ prompt: text });
  announce(state, out);
  out.emit({ type: "agent", role: "user", message: text });
}

/** The server did not take a prompt. If it was the one that began the turn, nothing follows. */
export function promptRefused(
  state: SessionState,
  { message, status }: { message: string; status: number },
  out: Sink,
): void {
  state.turn.refused();
  if (out.live.turnId === undefined || state.turn.hasBegun)
    return out.consume("a prompt that was to join the turn was refused");
  announce(state, out);
  out.emit({ type: "error", message });
  out.run.failure = { message, status, isReported: true };
  closeTurn(state, out);
}

export function busy(state: SessionState, { isMain }: Thread, out: Sink): void {
  if (isMain) state.turn.busy();
  out.consume("session.status: busy");
}

export function idle(state: SessionState, { isMain }: Thread, out: Sink): void {
  out.consume("session.status: idle");
  if (!isMain) return;
  state.turn.idle();
  endIfOver(state, out);
}

/** Kilo dropped what was queued. An abort that comes at once drops its prompt, of which nothing more is heard (7.7.9). */
export function drained(state: SessionState, { isMain }: Thread, out: Sink): void {
  out.consume("session.drain.interrupted");
  if (!isMain || !state.turn.isInterrupted) return;
  state.turn.surelyIdle();
  endIfOver(state, out);
}

export function endIfOver(state: SessionState, out: Sink): void {
  if (out.live.turnId !== undefined && state.turn.isOver) endTurn(state, out);
}

export function endTurn(state: SessionState, out: Sink): void {
  announce(state, out);
  conclude(state, out);
  closeTurn(state, out);
}

/** Says in `run` how the turn went, as far as it came. */
export function conclude(state: SessionState, out: Sink): void {
  state.speech.turnEnded(out);
  state.threads.main?.parts.settle(out.run);
}

function closeTurn(state: SessionState, out: Sink): void {
  out.live.endTurn(state.isAborted ? { isInterrupted: true } : {});
  state.isAborted = false;
  state.calls.turnEnded();
  state.requests.turnEnded();
  state.threads.reset();
  state.turn.reset();
}
