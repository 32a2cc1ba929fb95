import type { HarnessEvent } from "../events/event.js";
import type { Failure } from "../events/failure.js";
import type { Pressure } from "../runs/delivery.js";
import type { QueuedPrompt } from "./session.js";
import { createTurnHandle, type TurnHandle } from "./turn-handle.js";

export interface TurnQueueOptions {
  /** Begins a turn. */
  prompt(text: string, turnId: string): void;
  /** A turn runs, or none does. */
  onRunning(isRunning: boolean): void;
  onPressure(turnId: string, pressure: Pressure): void;
  /** What is done between turns: the next one waits for it. Undefined: there is nothing to do. Must not reject. */
  afterTurn?(turnId: string): Promise<void> | undefined;
}

/** The turns of a session: at most one runs, the others wait. This is the one kind of queue that is the same for all agents. */
export interface TurnQueue {
  /** A prompt that waits for its turn. */
  add(prompt: string): TurnHandle;
  /** The agent can take prompts. */
  ready(): void;
  /** An event for whoever iterates its turn. */
  publish(event: HarnessEvent): void;
  /** An event that may begin or end a turn. */
  observe(event: HarnessEvent): void;
  /** The running turn: one that was sent, or that the agent began by itself. */
  readonly running: string | undefined;
  /** The handle of the running turn. Undefined if the agent began it by itself. */
  readonly runningHandle: TurnHandle | undefined;
  /** The prompts that wait, in order. */
  readonly waiting: QueuedPrompt[];
  /** Resolves when no turn runs. */
  idle(): Promise<void>;
  /** Before the agent is ready: takes the first prompt back. */
  withdrawFirst(): void;
  /** No turn begins any more. Those that wait end as interrupted, or with the session's failure if there will be one. */
  close(how?: { isFailure: boolean }): void;
  /** The session is over. Turns without an end get one. */
  end(failure: Failure | undefined): void;
}

export function createTurnQueue(options: TurnQueueOptions): TurnQueue {
  const handles = new Map<string, TurnHandle>();
  let waiting: TurnHandle[] = [];
  let running: string | undefined;
  let isReady = false;
  let isClosed = false;
  let count = 0;
  const wake: (() => void)[] = [];
  const pause = createPause(begin);

  function begin(): void {
    const [next] = waiting;
    if (!isReady || pause.isOn || isClosed || running !== undefined || next === undefined) return;
    waiting = waiting.slice(1);
    setRunning(next.turn.turnId);
    options.prompt(next.prompt, next.turn.turnId);
  }

  function setRunning(turnId: string | undefined): void {
    running = turnId;
    options.onRunning(turnId !== undefined);
    if (turnId !== undefined) return;
    for (const go of wake.splice(0)) go();
  }

  return {
    add(prompt) {
      count += 1;
      const turnId = `turn_${count}`;
      const handle = createTurnHandle(turnId, prompt, (pressure) => options.onPressure(turnId, pressure));
      handles.set(turnId, handle);
      waiting.push(handle);
      begin();
      return handle;
    },
    ready() {
      isReady = true;
      begin();
    },
    publish: (event) => publish(handles, event),
    observe(event) {
      // The agent's own turns come between those that were asked for.
      if (event.type === "turn" && running === undefined) setRunning(event.turnId);
      if (event.type !== "turn_end" || event.turnId !== running) return;
      setRunning(undefined);
      pause.until(options.afterTurn?.(event.turnId));
    },
    get running() {
      return running;
    },
    get runningHandle() {
      return running === undefined ? undefined : handles.get(running);
    },
    get waiting() {
      return waiting.map(({ turn, prompt }) => ({ turnId: turn.turnId, prompt }));
    },
    async idle() {
      if (running !== undefined) await new Promise<void>((resolve) => wake.push(resolve));
    },
    withdrawFirst() {
      const first = isReady ? undefined : waiting.shift();
      if (first !== undefined) settle(handles, [first]);
    },
    close({ isFailure } = { isFailure: false }) {
      isClosed = true;
      if (isFailure) return;
      settle(handles, waiting);
      waiting = [];
    },
    end(failure) {
      isClosed = true;
      waiting = [];
      settle(handles, [...handles.values()], failure);
      if (running !== undefined) setRunning(undefined);
    },
  };
}

function publish(handles: Map<string, TurnHandle>, event: HarnessEvent): void {
  if (event.turnId === undefined) return;
  handles.get(event.turnId)?.add(event);
  if (event.type === "turn_end") handles.delete(event.turnId);
}

/** What comes next waits for a promise, if there is one. */
function createPause(next: () => void): {
  readonly isOn: boolean;
  until(over: Promise<void> | undefined): void;
} {
  let isOn = false;
  return {
    get isOn() {
      return isOn;
    },
    until(over) {
      if (over === undefined) return next();
      isOn = true;
      over.then(() => {
        isOn = false;
        next();
      });
    },
  };
}

/** Turns that will have no events of their own end here. */
function settle(handles: Map<string, TurnHandle>, ended: readonly TurnHandle[], failure?: Failure): void {
  for (const handle of ended) {
    handles.delete(handle.turn.turnId);
    handle.settle(failure === undefined ? { reason: "interrupted" } : { reason: "failed", failure });
  }
}
