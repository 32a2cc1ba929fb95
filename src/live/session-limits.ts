import { setMaxListeners } from "node:events";
import { limitWords, silenceNotice, toDuration } from "../runs/notices.js";
import type { SessionPlan } from "./plan-session.js";
import { cancelNow, interruptNow, type SessionParts, stopAll } from "./session-parts.js";
import { createTurnLimits, type TurnLimits } from "./turn-limits.js";

/** How long an interrupted turn may take before the agent is stopped. */
const interruptMs = 10_000;
const defaultSilenceMs = 2 * 60_000;

/** The limits of a turn: it is interrupted, and the session goes on. */
export function limitsOf(
  { task, agent, turnTimeoutMs }: SessionPlan,
  session: () => SessionParts,
): TurnLimits {
  const { idleTimeoutMs, silenceMs = defaultSilenceMs } = task;
  const interruptFor = (code: string, message: string): void => {
    session().stream.notice({ code, message });
    interruptNow(session());
  };
  return createTurnLimits({
    turnTimeoutMs,
    idleTimeoutMs,
    silenceMs,
    interruptMs,
    isWaiting: () => session().requests.open.length > 0 || session().pressures.size > 0,
    onTimeout: () => interruptFor("turn_timed_out", limitWords.turnTimedOut(turnTimeoutMs ?? 0)),
    onStalled: () => interruptFor("turn_stalled", limitWords.stalled(idleTimeoutMs ?? 0)),
    onSilence: (ms) => session().stream.notice(silenceNotice(agent.name, ms, [])),
    onUninterrupted() {
      const message = `${agent.name} did not end the turn after it was interrupted, and was stopped`;
      session().stream.notice({ code: "not_interrupted", message });
      session().conversation?.process?.stop();
    },
  });
}

/** The time limit and the caller's signal are those of the whole session. */
export function watchSession(parts: SessionParts): { end(): void } {
  const { signal, timeoutMs } = parts.plan.task;
  const cancel = (): void => cancelNow(parts);
  const onTimeout = (): void =>
    stopAll(parts, () => parts.stopping.stop("timed_out", limitWords.timedOut(timeoutMs ?? 0)));
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, Math.min(timeoutMs, 2 ** 31 - 1));
  if (signal?.aborted) queueMicrotask(cancel);
  else if (signal !== undefined) {
    // Hundreds of sessions may share a signal. Without this, Node would warn about a leak.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", cancel, { once: true });
  }
  return {
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
  };
}

/** Agents that unpack themselves or build a database take half a minute on a busy machine. */
const startMs = 3 * 60_000;

/** An agent that never completes the handshake must not keep its caller waiting forever. */
export function watchStart({ plan }: SessionParts, onLate: (message: string) => void): { end(): void } {
  const message = `${plan.agent.name} did not answer within ${toDuration(startMs)} of its start`;
  const timer = setTimeout(() => onLate(message), startMs);
  return { end: () => clearTimeout(timer) };
}
