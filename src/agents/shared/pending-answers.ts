/** The requests of a peer that the agent has not answered yet. */
export interface PendingAnswers<Id, Reply> {
  /** The id for the next request. `then` is called once, with its answer. */
  expect(then?: (reply: Reply) => void): Id;
  /** An answer of the agent. It is ignored if nothing waits for it. */
  answered(id: Id, reply: Reply): void;
  /** No more answers will come: everything that waits gets this one. */
  close(reply: Reply): void;
}

/** `toId` makes an id from the number of the request, which begins at 1. */
export function createPendingAnswers<Id, Reply>(toId: (count: number) => Id): PendingAnswers<Id, Reply> {
  const waiting = new Map<Id, (reply: Reply) => void>();
  let count = 0;

  return {
    expect(then) {
      count += 1;
      const id = toId(count);
      if (then !== undefined) waiting.set(id, then);
      return id;
    },
    answered(id, reply) {
      const then = waiting.get(id);
      waiting.delete(id);
      then?.(reply);
    },
    close(reply) {
      const left = [...waiting.values()];
      waiting.clear();
      for (const then of left) then(reply);
    },
  };
}

/** What a request is answered with that is still open when the session is closed. */
export const sessionClosed = "the session was closed";
