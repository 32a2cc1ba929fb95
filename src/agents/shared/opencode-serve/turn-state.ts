/**
 * When the running turn is over. The server says that the session is idle, but not only then: twice after an abort or an error,
 * the first time while the last message is not complete; late, when the next prompt was already sent; and between two prompts
 * of which the second waits in Kilo's own queue.
 */
export interface TurnState {
  /** A prompt was sent, which begins a turn or joins it. */
  prompted(): void;
  /** The server did not take a prompt. */
  refused(): void;
  /** A message of the user is in the conversation. True if it is a new one. */
  userMessage(id: string): boolean;
  /** A message of the model. True if it is a new one. */
  assistantMessage(id: string, isComplete: boolean): boolean;
  /** Kilo's own queue. */
  queued(ids: readonly string[]): void;
  busy(): void;
  idle(): void;
  /** The server was asked for its state and is idle. What came before may have been missed. */
  surelyIdle(): void;
  /** An abort was sent. */
  interrupted(): void;
  /** The agent goes on without a prompt. */
  beganByItself(): void;
  /** The prompt that began the turn is in the conversation. */
  readonly hasBegun: boolean;
  /** The session is idle, although a message may not be complete. A prompt that is sent now begins another turn. */
  readonly isIdle: boolean;
  readonly isOver: boolean;
  readonly isInterrupted: boolean;
  /** The next turn begins with nothing known. */
  reset(): void;
}

export function createTurnState(): TurnState {
  const seen = new Set<string>();
  /** Prompts that were sent and are not in the conversation yet. */
  let missing = 0;
  let queue = 0;
  const incomplete = new Set<string>();
  let isIdle = false;
  let isInterrupted = false;
  let hasBegun = false;

  function isNew(id: string): boolean {
    const before = seen.size;
    return seen.add(id).size > before;
  }

  return {
    prompted() {
      missing++;
      isIdle = false;
    },
    refused() {
      missing = Math.max(0, missing - 1);
    },
    userMessage(id) {
      if (!isNew(id)) return false;
      missing = Math.max(0, missing - 1);
      hasBegun = true;
      return true;
    },
    assistantMessage(id, isComplete) {
      if (isComplete) incomplete.delete(id);
      else incomplete.add(id);
      return isNew(id);
    },
    queued(ids) {
      queue = ids.length;
    },
    busy() {
      isIdle = false;
    },
    idle() {
      // The rest of the turn before, or the end of a prompt that another one follows.
      if (missing === 0 && (queue === 0 || isInterrupted)) isIdle = true;
    },
    surelyIdle() {
      missing = 0;
      incomplete.clear();
      isIdle = true;
    },
    interrupted() {
      isInterrupted = true;
    },
    beganByItself() {
      hasBegun = true;
      isIdle = false;
    },
    get hasBegun() {
      return hasBegun;
    },
    get isIdle() {
      return isIdle;
    },
    get isOver() {
      return isIdle && incomplete.size === 0;
    },
    get isInterrupted() {
      return isInterrupted;
    },
    reset() {
      missing = 0;
      queue = 0;
      incomplete.clear();
      isIdle = false;
      isInterrupted = false;
      hasBegun = false;
    },
  };
}
