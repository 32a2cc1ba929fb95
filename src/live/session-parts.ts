import type { Pressure } from "../runs/delivery.js";
import type { WatchedChanges } from "../runs/run-changes.js";
import type { RunStream } from "../runs/run-stream.js";
import type { Stopping } from "../runs/stopping.js";
import type { LiveConversation } from "./conversation.js";
import type { ObservedEvents } from "./observed-events.js";
import type { SessionPlan } from "./plan-session.js";
import type { SessionRequests } from "./requests.js";
import type { TurnLimits } from "./turn-limits.js";
import type { TurnQueue } from "./turn-queue.js";

/** The parts of one session. They know each other through it. */
export interface SessionParts {
  plan: SessionPlan;
  stream: RunStream;
  queue: TurnQueue;
  requests: SessionRequests;
  limits: TurnLimits;
  stopping: Stopping;
  changes: WatchedChanges;
  conversation: LiveConversation | undefined;
  observed: ObservedEvents;
  /** The agent's own id of the session. */
  sessionId: string | undefined;
  /** The model that the agent reports, or that was set last. */
  model: string | undefined;
  isClosing: boolean;
  /** The agent could not be talked with, and was stopped for that. */
  hasFailed: boolean;
  hasEnded: boolean;
  /** The running turn is to end. Its end must be read, however far the readers are behind. */
  isInterrupting: boolean;
  /** How far the readers of the session and of its turns are behind. */
  pressures: Map<string, Pressure>;
}

/** Asks the agent to end the turn, once. */
export function interruptNow(parts: SessionParts): void {
  const { queue, conversation, limits } = parts;
  if (queue.running === undefined) return queue.withdrawFirst();
  parts.isInterrupting = true;
  applyPressure(parts);
  limits.interrupted();
  conversation?.interrupt();
}

/** Stops the processes, and what would start new ones. */
export function stopAll({ queue, conversation }: SessionParts, stop: () => void): void {
  queue.close();
  stop();
  // With a process per turn there may be none now: this says that none follows.
  conversation?.close();
}

/** Stops the session; kills one that is being stopped already. */
export function cancelNow(parts: SessionParts): void {
  // After the end of the agent, only what it changed is still found out.
  parts.changes.cancel(parts.hasEnded || parts.stopping.reason !== undefined);
  if (!parts.hasEnded) stopAll(parts, () => parts.stopping.cancel());
}

/** Slows the agent down as much as its slowest reader needs. */
export function applyPressure({ pressures, conversation, isInterrupting }: SessionParts): void {
  const all = isInterrupting ? [] : [...pressures.values()];
  conversation?.setPressure(all.includes("overfull") ? "overfull" : all.includes("full") ? "full" : "none");
}
