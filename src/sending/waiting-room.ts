/** What waits to be sent, in order and within a limit. The oldest items are given up first, precious ones last. */
export interface WaitingRoom<Item> {
  readonly count: number;
  /** Returns how many items had to go. */
  add(item: Item): number;
  /** The next items that are sent together. */
  take(): Item[];
  /** Returns how many items were left. */
  clear(): number;
}

export interface WaitingRoomOptions<Item> {
  sizeOf(item: Item): number;
  /** True for what is given up last. */
  isPrecious?(item: Item): boolean;
  /** How much may wait, in the unit of `sizeOf`. */
  maxWaiting: number;
  /** How much is sent at once: at least one item, whatever its size. */
  maxSent: number;
}

interface Entry<Item> {
  item: Item;
  size: number;
}

/** Fewer gaps than this are not worth closing. */
const minGaps = 1024;

/**
 * Items that are given up leave gaps, which are closed now and then: with an address that is away, every item of a run comes by here, and
 * to move thousands of others for each of them would slow the run.
 */
export function createWaitingRoom<Item>(options: WaitingRoomOptions<Item>): WaitingRoom<Item> {
  const { sizeOf, isPrecious = () => false, maxWaiting, maxSent } = options;
  let entries: (Entry<Item> | undefined)[] = [];
  /** All before it are gone. */
  let first = 0;
  /** All before it are gone or precious. */
  let oldest = 0;
  let count = 0;
  let size = 0;

  function remove(at: number): void {
    const entry = entries[at];
    if (entry === undefined) return;
    entries[at] = undefined;
    count -= 1;
    size -= entry.size;
  }

  function skipGaps(): void {
    while (first < entries.length && entries[first] === undefined) first += 1;
  }

  function removeOldest(): void {
    for (; oldest < entries.length; oldest += 1) {
      const entry = entries[oldest];
      if (entry !== undefined && !isPrecious(entry.item)) return remove(oldest);
    }
    skipGaps();
    remove(first);
  }

  function closeGaps(): void {
    if (entries.length - count < Math.max(minGaps, count)) return;
    entries = entries.filter((entry) => entry !== undefined);
    first = 0;
    oldest = 0;
  }

  return {
    get count() {
      return count;
    },
    add(item) {
      const entry = { item, size: sizeOf(item) };
      entries.push(entry);
      count += 1;
      size += entry.size;
      const before = count;
      while (size > maxWaiting && count > 1) removeOldest();
      closeGaps();
      return before - count;
    },
    take() {
      const items: Item[] = [];
      let taken = 0;
      for (; first < entries.length; first += 1) {
        const entry = entries[first];
        if (entry === undefined) continue;
        if (items.length > 0 && taken + entry.size > maxSent) break;
        taken += entry.size;
        items.push(entry.item);
        remove(first);
      }
      closeGaps();
      return items;
    },
    clear() {
      const left = count;
      entries = [];
      first = oldest = count = size = 0;
      return left;
    },
  };
}
