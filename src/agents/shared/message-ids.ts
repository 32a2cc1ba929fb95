/**
 * Ids for the messages of an agent that gives them none: `message-1`, `message-2` … The pieces of a message
 * and the whole share one. Each speaker has at most one message open; the main agent is the speaker without a name.
 */
export interface MessageIds {
  /** A message begins. One that the speaker has left open never becomes whole. */
  begin(speaker?: string): void;
  /** The id of the message that the speaker is saying; a new one when nothing is being said. */
  current(speaker?: string): string;
  /** The same, and the message is complete: what the speaker says next is another one. */
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
