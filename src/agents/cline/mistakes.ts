/**
 * Cline gives up if too many calls in a row are rejected, and reports that as an abort "by another client". A real
 * abort by a client has no mistake before it.
 */
export interface Mistakes {
  made(message: string): void;
  /** A call succeeded, so earlier mistakes no longer count. */
  recovered(): void;
  /** The message of the latest mistake. Undefined if a call has succeeded since. */
  readonly last: string | undefined;
}

export function createMistakes(): Mistakes {
  let last: string | undefined;
  return {
    made(message) {
      last = message;
    },
    recovered() {
      last = undefined;
    },
    get last() {
      return last;
    },
  };
}
