import type { Abilities, Answer } from "../agents/live-contract.js";
import type { EventOf, HarnessEvent } from "../events/event.js";
import type { Failure } from "../events/failure.js";
import type { TurnReason } from "../events/live-event.js";
import type { TokenCounts, UsageScope } from "../events/usage.js";
import type { Run, RunResult } from "../runs/task.js";

/** A conversation with a running agent. Iterating it gives the events of all turns, in order. */
export interface Session extends Pick<Run, "runId" | "pid" | "recording" | "stopping" | "batches"> {
  /** The agent's own id of the session, for `resume`. Known after the first turn at the latest. */
  readonly sessionId: string | undefined;
  /** What this agent can do in a session. Using anything else throws `unsupported_option`. */
  readonly can: Readonly<Abilities>;
  /** True while a turn runs. */
  readonly isBusy: boolean;
  /** The prompts that wait for their turn. */
  readonly queue: readonly QueuedPrompt[];
  /** The model that the agent reports, or that was set last. */
  readonly model: string | undefined;
  /** The requests that wait for an answer. */
  readonly requests: readonly EventOf<"request">[];
  /** Starts a turn. While another one runs, it waits in the queue unless `whileBusy` says otherwise. */
  send(prompt: string, options?: SendOptions): Turn;
  /** Ends the running turn as `interrupted`, and resolves when it has ended. The session goes on, with the queue. */
  interrupt(): Promise<void>;
  /** Answers a request. Throws if it is no longer open, or if the answer does not fit its kind. */
  answer(requestId: string, answer: Answer): void;
  /** Uses another model from the next turn on. Rejects if the agent refuses. */
  setModel(model: string): Promise<void>;
  /** Ends the running turn and the agent. Never rejects. Afterwards nothing of the session is alive. */
  close(): Promise<RunResult>;
  /** Stops the agent at once, as for a run. */
  cancel(): void;
  /** Resolves when the session has ended, and never rejects. */
  readonly result: Promise<RunResult>;
  [Symbol.asyncIterator](): AsyncIterableIterator<HarnessEvent>;
}

/** A prompt that waits for its turn. */
export interface QueuedPrompt {
  turnId: string;
  prompt: string;
}

/** How a prompt is sent to a session. */
export interface SendOptions {
  /**
   * What happens while a turn runs. `queue`: the prompt waits (default). `steer`: it joins the running turn, where the agent can.
   * `reject`: `session_busy` is thrown.
   */
  whileBusy?: "queue" | "steer" | "reject" | undefined;
}

/** One turn. Iterating it gives its own events. A turn can be iterated once. */
export interface Turn extends AsyncIterable<HarnessEvent> {
  readonly turnId: string;
  /** Resolves when the turn has ended, and never rejects. */
  readonly result: Promise<TurnResult>;
}

/** How a turn ended. */
export interface TurnResult {
  turnId: string;
  isSuccess: boolean;
  reason: TurnReason;
  /** The agent's answer. */
  text?: string;
  failure?: Failure;
  usage?: TokenCounts & { scope: UsageScope };
  costUsd?: number;
  /** Only when the cost is not the agent's own figure. */
  costSource?: "estimated";
  durationMs?: number;
}
