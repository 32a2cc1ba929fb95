/**
 * Cline gives up when too many calls in a row were rejected, and reports that as an abort "by another client".
 * What went wrong last distinguishes the two.
 */
export interface Mistakes {
  made(words: string): void;
  /** A call did its work, so the row is broken. */
  recovered(): void;
  /** The words of the latest mistake, when nothing went well since. */
  readonly last: string | undefined;
}

export function createMistakes(): Mistakes {
  let last: string | undefined;
  return {
    made(words) {
      last = words;
    },
    recovered() {
      last = undefined;
    },
    get last() {
      return last;
    },
  };
}
