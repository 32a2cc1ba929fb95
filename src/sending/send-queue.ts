import { messageOf } from "../errors.js";

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

export interface SendSignals {
  /** Aborted when the time is over. */
  stop: AbortSignal;
  /** Aborted when the run is over: from now on somebody waits. */
  ending: AbortSignal;
}

export interface SendQueueOptions<Item> {
  /**
   * Delivers some items. Resolves to the reason if they are given up, and soon after `stop` is aborted.
   */
  send(items: readonly Item[], signals: SendSignals): Promise<string | undefined>;
  sizeOf(item: Item): number;
  /** True for what is given up last. */
  isPrecious?(item: Item): boolean;
  /** How much may wait, in the unit of `sizeOf`. */
  maxWaiting: number;
  /** How much is sent at once: at least one item, whatever its size. */
  maxSent: number;
  /** How long the first item of a delivery waits for others. */
  gatherMs: number;
  /** How long `end` may take. */
  endMs: number;
}

export function createSendQueue<Item>(options: SendQueueOptions<Item>): SendQueue<Item> {
  const waiting = createWaitingRoom(options);
  const stop = new AbortController();
  const report: SendReport = { sent: 0, givenUp: 0 };
  const ending = new AbortController();
  let sending: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;

  function giveUp(items: number, problem: string): void {
    if (items === 0) return;
    report.givenUp += items;
    report.problem = problem;
  }

  async function sendAll(): Promise<void> {
    while (waiting.count > 0 && !stop.signal.aborted) {
      const items = waiting.take();
      const signals = { stop: stop.signal, ending: ending.signal };
      const problem = await options.send(items, signals).catch(messageOf);
      if (problem === undefined) report.sent += items.length;
      else giveUp(items.length, problem);
    }
  }

  function begin(): void {
    clearTimeout(gathering);
    gathering = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      if (waiting.count > 0 && !stop.signal.aborted) begin();
    });
  }

  return {
    push(item) {
      giveUp(waiting.add(item), "it is too slow, and too much was waiting for it");
      if (sending === undefined) gathering ??= setTimeout(begin, options.gatherMs).unref();
    },
    async end() {
      ending.abort();
      const deadline = setTimeout(() => stop.abort(), options.endMs);
      begin();
      while (sending !== undefined) await sending;
      clearTimeout(deadline);
      giveUp(waiting.clear(), report.problem ?? "it did not answer in time");
      return report;
    },
    abandon: () => stop.abort(),
  };
}

interface WaitingRoom<Item> {
  readonly count: number;
  /** Returns how many items had to go. */
  add(item: Item): number;
  take(): Item[];
  clear(): number;
}

function createWaitingRoom<Item>(options: SendQueueOptions<Item>): WaitingRoom<Item> {
  const { sizeOf, isPrecious = () => false, maxWaiting, maxSent } = options;
  const items: Item[] = [];
  let size = 0;

  function removeOldest(): void {
    const at = items.findIndex((item) => !isPrecious(item));
    const [removed] = items.splice(Math.max(at, 0), 1);
    if (removed !== undefined) size -= sizeOf(removed);
  }

  return {
    get count() {
      return items.length;
    },
    add(item) {
      const before = items.push(item);
      size += sizeOf(item);
      while (size > maxWaiting && items.length > 1) removeOldest();
      return before - items.length;
    },
    take() {
      let end = 0;
      let taken = 0;
      for (const item of items) {
        if (end > 0 && taken + sizeOf(item) > maxSent) break;
        taken += sizeOf(item);
        end += 1;
      }
      size -= taken;
      return items.splice(0, end);
    },
    clear() {
      size = 0;
      return items.splice(0).length;
    },
  };
}
