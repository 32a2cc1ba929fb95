/** Work that is left over when a cell has ended, and that no other cell has to wait for. */
export interface Tidying {
  /** Begins the work. Resolves at once, or, if too much is under way, when there is room for it. */
  add(work: () => Promise<void>): Promise<void>;
  /** Resolves when nothing is under way. */
  finish(): Promise<void>;
}

/**
 * Removes workspaces while the next cells are already running. `most` bounds how many removals are under way: on a slow disk,
 * workspaces would pile up otherwise. Never rejects: what cannot be removed now is removed when the batch ends or is resumed.
 */
export function createTidying(most: number): Tidying {
  const underWay = new Set<Promise<void>>();
  return {
    async add(work) {
      while (underWay.size >= most) await Promise.race(underWay);
      const working: Promise<void> = work()
        .catch(() => {})
        .finally(() => underWay.delete(working));
      underWay.add(working);
    },
    async finish() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
