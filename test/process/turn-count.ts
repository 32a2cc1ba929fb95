/** Counts how much work is done in each turn of the event loop. */
export interface TurnCount {
  add(work: number): void;
  readonly total: number;
  /** Ends the count and returns the most work done in one turn. */
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

/** Keeps the processor busy for at least this long. */
export function spin(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}
