/**
 * Remembers the values that were set last, at least `most` of them and at most twice as many. A run can go on for days, and
 * an id that an agent repeats comes again soon or never.
 */
export interface Recent<Key, Value> {
  has(key: Key): boolean;
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  /** True if the key was remembered. */
  delete(key: Key): boolean;
}

/** Enough for calls and messages that are far apart; some megabytes at most. */
const usual = 10_000;

/** Two generations: when the newer one is full, the older one is dropped. This takes no time for each value. */
export function createRecent<Key, Value = true>(most = usual): Recent<Key, Value> {
  let latest = new Map<Key, Value>();
  let older = new Map<Key, Value>();
  return {
    has: (key) => latest.has(key) || older.has(key),
    get: (key) => (latest.has(key) ? latest.get(key) : older.get(key)),
    set(key, value) {
      if (latest.size >= most) {
        older = latest;
        latest = new Map();
      }
      latest.set(key, value);
    },
    delete(key) {
      const wasOld = older.delete(key);
      return latest.delete(key) || wasOld;
    },
  };
}
