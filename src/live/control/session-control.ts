import type { Abilities, Answer } from "../../agents/live-contract.js";
import type { EventOf } from "../../events/event.js";
import type { QueuedPrompt, SendOptions } from "../session.js";

/**
 * What somebody else than its owner may do with a live session: another process of the same user, or the page. Methods reject with a
 * `HarnessError`: as those of a `Session` do, and with `session_gone` once the session has ended.
 */
export interface SessionControl {
  state(): Promise<ControlState>;
  /** Resolves when the prompt was taken. Its turn may still wait in the queue. */
  send(prompt: string, options?: SendOptions): Promise<{ turnId: string }>;
  answer(requestId: string, answer: Answer): Promise<void>;
  interrupt(): Promise<void>;
  setModel(model: string): Promise<void>;
  /** Ends the session, as its owner would. Resolves when that is under way. */
  close(): Promise<void>;
  /** Stops the agent at once. */
  cancel(): Promise<void>;
}

export interface ControlState {
  can: Abilities;
  /** True while a turn runs. */
  isBusy: boolean;
  /** The prompts that wait for their turn. */
  queue: readonly QueuedPrompt[];
  /** The requests that wait for an answer. */
  requests: readonly EventOf<"request">[];
  model?: string;
}
