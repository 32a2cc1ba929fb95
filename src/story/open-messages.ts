/**
 * Messages that have begun in pieces and are not yet whole, by `messageId`. Agents from outside may leave
 * the id out: a whole message without one completes the message that has been open longest, and pieces without
 * one belong to the next whole message.
 */
export interface OpenMessages<T> {
  add(messageId: string | undefined, message: T): void;
  /** The message that a piece with this id continues. */
  find(messageId: string | undefined): T | undefined;
  /** Removes and returns the open message that a complete message with this id ends. */
  take(messageId: string | undefined): T | undefined;
}

export function createOpenMessages<T>(): OpenMessages<T> {
  const open: { messageId: string | undefined; message: T }[] = [];

  function indexOf(wanted: string | undefined): number {
    return open.findIndex(({ messageId }) => messageId === wanted);
  }

  function indexOfWhole(wanted: string | undefined): number {
    if (wanted === undefined) return 0;
    const own = indexOf(wanted);
    return own === -1 ? indexOf(undefined) : own;
  }

  return {
    add(messageId, message) {
      open.push({ messageId, message });
    },
    find: (messageId) => open[indexOf(messageId)]?.message,
    take(messageId) {
      const index = indexOfWhole(messageId);
      return index === -1 ? undefined : open.splice(index, 1)[0]?.message;
    },
  };
}
