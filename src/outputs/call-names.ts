/** Ids that are remembered after their call has ended. An id that comes again later than that is used as it is. */
const mostRemembered = 10_000;

/**
 * The id of each call in a stream whose readers expect one id to be one call. Some agents number their calls anew in every turn:
 * the second `tool-1` becomes `tool-1#2`.
 */
export interface CallNames {
  /** A call begins. */
  begin(callId: string): string;
  /** The call with this id that began last. */
  of(callId: string): string;
}

export function createCallNames(): CallNames {
  const counts = new Map<string, number>();

  function nameOf(callId: string, count: number): string {
    return count === 1 ? callId : `${callId}#${count}`;
  }

  return {
    begin(callId) {
      const count = (counts.get(callId) ?? 0) + 1;
      // Set anew, so that the first key is the one that was not used for the longest time.
      counts.delete(callId);
      counts.set(callId, count);
      const [oldest] = counts.keys();
      if (counts.size > mostRemembered && oldest !== undefined) counts.delete(oldest);
      return nameOf(callId, count);
    },
    of: (callId) => nameOf(callId, counts.get(callId) ?? 1),
  };
}
