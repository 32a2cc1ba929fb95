/**
 * Ids for the messages of an agent that has none: `message-1`, `message-2` … The pieces of a message and the whole
 * message share one id. Each speaker has at most one message open; the main agent is the speaker without a name.
 */
export interface MessageIds {
  /** A message begins. If the speaker has an open message, that one stays incomplete. */
  begin(speaker?: string): void;
  /** The id of the speaker's open message. Opens one if there is none. */
  current(speaker?: string): string;
  /** The same, and closes the message: the next one gets another id. */
  end(speaker?: string): string;
}

export function createMessageIds(): MessageIds {
  const open = new Map<string | undefined, string>();
  let count = 0;

  function current(speaker?: string): string {
    const known = open.get(speaker);
    if (known !== undefined) return known;
    count += 1;
    const id = `message-${count}`;
    open.set(speaker, id);
    return id;
  }

  return {
    begin(speaker) {
      open.delete(speaker);
    },
    current,
    end(speaker) {
      const id = current(speaker);
      open.delete(speaker);
      return id;
    },
  };
}

/** True for an id that was made here: another process makes it as well. */
export function isNumbered(messageId: string): boolean {
  return /^message-\d+$/.test(messageId);
}
