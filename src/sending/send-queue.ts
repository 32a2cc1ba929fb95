import { messageOf } from "../errors.js";
import { createWaitingRoom, type WaitingRoomOptions } from "./waiting-room.js";

/**
 * A queue to an address that may be slow or away. Items are sent in order, some at a time, and one delivery is under way at once. What
 * waits is limited: the oldest items are given up first.
 */
export interface SendQueue<Item> {
  /** Returns at once. */
  push(item: Item): void;
  /** Sends the rest. Resolves when everything is sent or given up. */
  end(): Promise<SendReport>;
  /** Gives up what is not sent yet. */
  abandon(): void;
}

/** What became of everything that was to be sent. */
export interface SendReport {
  sent: number;
  givenUp: number;
  /** The latest reason why something was given up. */
  problem?: string;
}

/** Why a delivery was given up. */
export interface SendFailure {
  problem: string;
  /** True if there was no answer, or only answers that ask to try again: others would not arrive either. */
  isAway: boolean;
}

/** What a delivery is told while it is under way, and what it tells. */
export interface SendSignals {
  /** Aborted when the time is over. */
  readonly stop: AbortSignal;
  /** Aborted when the run is over: from now on somebody waits. */
  readonly ending: AbortSignal;
  /** True after the run, if the address was away before: one attempt shows whether it is back. */
  readonly isLastTry: boolean;
  /** How long it takes until `stop`, as far as that is known. */
  timeLeftMs(): number;
  /** How an attempt went. `isReached`: there was an answer that counts. */
  noteAttempt(isReached: boolean): void;
}

/** What the last attempt says about an address. */
type Contact = "unknown" | "reached" | "away";

/**
 * How long `end` waits for the next answer, by what is known about the address. Nobody waits long for one that is away; one that has
 * taken everything else gets the time to take the rest.
 */
const patienceMs: Readonly<Record<Contact, number>> = { away: 1000, unknown: 2500, reached: 5000 };

export interface SendQueueOptions<Item> extends WaitingRoomOptions<Item> {
  /**
   * Delivers some items. Resolves to the reason if they are given up, and soon after `stop` is aborted.
   */
  send(items: readonly Item[], signals: SendSignals): Promise<SendFailure | undefined>;
  /** How long the first item of a delivery waits for others. */
  gatherMs: number;
  /** How long `end` may take. */
  endMs: number;
  /** `end` takes as long as it may, whatever is known about the address: somebody asked for nothing but this delivery. */
  isPatient?: boolean;
}

export function createSendQueue<Item>(options: SendQueueOptions<Item>): SendQueue<Item> {
  const waiting = createWaitingRoom(options);
  const course = createCourse(options);
  const { stop } = course.signals;
  const report: SendReport = { sent: 0, givenUp: 0 };
  let sending: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;

  function giveUp(items: number, problem: string): void {
    if (items === 0) return;
    report.givenUp += items;
    report.problem = problem;
  }

  async function sendAll(): Promise<void> {
    while (waiting.count > 0 && !stop.aborted) {
      const items = waiting.take();
      const failure = await options.send(items, course.signals).catch(failureOf);
      if (failure === undefined) report.sent += items.length;
      else giveUp(items.length, failure.problem);
      if (failure?.isAway && course.signals.ending.aborted) course.stop();
    }
  }

  function begin(): void {
    clearTimeout(gathering);
    gathering = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      if (waiting.count > 0 && !stop.aborted) begin();
    });
  }

  return {
    push(item) {
      giveUp(waiting.add(item), "it is too slow, and too much was waiting for it");
      if (sending === undefined) gathering ??= setTimeout(begin, options.gatherMs).unref();
    },
    async end() {
      course.end();
      begin();
      while (sending !== undefined) await sending;
      course.stop();
      giveUp(waiting.clear(), report.problem ?? "it did not answer in time");
      return report;
    },
    abandon: () => course.stop(),
  };
}

function failureOf(error: unknown): SendFailure {
  return { problem: messageOf(error), isAway: false };
}

/** The time that deliveries have: as much as they like during the run, and little after it. */
interface Course {
  readonly signals: SendSignals;
  /** The run is over. */
  end(): void;
  stop(): void;
}

function createCourse({
  endMs,
  isPatient = false,
}: Pick<SendQueueOptions<unknown>, "endMs" | "isPatient">): Course {
  const stop = new AbortController();
  const ending = new AbortController();
  let contact: Contact = "unknown";
  let isLastTry = false;
  let limit = Number.POSITIVE_INFINITY;
  let deadline = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function stopNow(): void {
    clearTimeout(timer);
    stop.abort();
  }

  function renewDeadline(): void {
    const now = performance.now();
    deadline = isPatient ? limit : Math.min(limit, now + patienceMs[contact]);
    clearTimeout(timer);
    timer = setTimeout(stopNow, deadline - now);
  }

  return {
    signals: {
      stop: stop.signal,
      ending: ending.signal,
      get isLastTry() {
        return isLastTry;
      },
      timeLeftMs: () => deadline - performance.now(),
      noteAttempt(isReached) {
        contact = isReached ? "reached" : "away";
        if (!isReached) return;
        isLastTry = false;
        if (ending.signal.aborted && !stop.signal.aborted) renewDeadline();
      },
    },
    end() {
      isLastTry = contact === "away" && !isPatient;
      limit = performance.now() + endMs;
      if (!stop.signal.aborted) renewDeadline();
      ending.abort();
    },
    stop: stopNow,
  };
}
