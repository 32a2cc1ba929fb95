import type { Answer, SentNote, SessionRequest } from "../agents/live-contract.js";
import type { AgentProcess, ProcessEnd } from "../process/start.js";
import type { Pressure } from "../runs/delivery.js";

/** How prompts, interrupts and answers reach the agent: over its own protocol, or with a process per turn. */
export interface LiveConversation {
  /** Starts what has to be started before the first prompt. */
  begin(): void;
  prompt(text: string, turnId: string): void;
  steer(text: string): Promise<void>;
  /** Asks the agent to end the turn. */
  interrupt(): void;
  answer(request: SessionRequest, answer: Answer, note: SentNote): void;
  setModel(model: string): Promise<void>;
  /** Ends the agent in order: it may finish writing, and is stopped if it does not exit. */
  close(): void;
  setPressure(pressure: Pressure): void;
  /** With a process per turn: its process has sent its final message, or goes on. */
  finalMessage?(isSaid: boolean): void;
  /** The process that runs now. */
  readonly process: AgentProcess | undefined;
  /** Resolves when no process of the session is alive, and none will follow. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
}

/** What a conversation needs of its session. */
export interface ConversationHost {
  /** The agent can take a prompt. */
  ready(): void;
  /** The session cannot go on. */
  fail(message: string): void;
  /** The agent printed something: silence ends. */
  output(): void;
  /** Runs what reads a piece of output. Events are acted on when all of it is read. */
  reading(read: () => void): void;
}
