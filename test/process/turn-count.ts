/** Counts work by the turn of the event loop that it is done in. */
export interface TurnCount {
  add(work: number): void;
  readonly total: number;
  /** Ends the count: the most that was done between two turns. */
  most(): number;
}

export function countTurns(): TurnCount {
  let total = 0;
  let sinceTurn = 0;
  let most = 0;

  function turn(): void {
    most = Math.max(most, sinceTurn);
    sinceTurn = 0;
    next = setImmediate(turn);
  }

  let next = setImmediate(turn);
  return {
    add(work) {
      total += work;
      sinceTurn += work;
    },
    get total() {
      return total;
    },
    most() {
      clearImmediate(next);
      return Math.max(most, sinceTurn);
    },
  };
}

/** Keeps the processor busy for so many milliseconds at least. */
export function spin(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}
