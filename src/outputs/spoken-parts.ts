import type { EventOf, HarnessEvent } from "../events/event.js";
import { createSpokenText, type SpokenText } from "../story/spoken-text.js";

/** A stretch of words: of one speaker, of one kind, with a beginning and an end. */
export interface SpokenPart {
  /** Counts up from 1 in the stream. */
  number: number;
  kind: "text" | "thinking";
  /** Whose words: the call that started the subagent. Undefined: the main agent. */
  speaker: string | undefined;
  messageId: string | undefined;
}

export type SpokenPiece =
  | { action: "begin"; part: SpokenPart }
  | { action: "piece"; part: SpokenPart; delta: string }
  /** `isWithdrawn`: the agent starts this answer again. */
  | { action: "end"; part: SpokenPart; isWithdrawn: boolean };

/**
 * What is said, as parts that begin, grow and end. Every part ends, and a whole message that was streamed is not said twice. Each
 * speaker has at most one open part.
 */
export interface SpokenParts {
  /** Call it with every event, in order. */
  add(event: HarnessEvent): SpokenPiece[];
  /** Ends what is open. */
  end(): SpokenPiece[];
}

export function createSpokenParts(): SpokenParts {
  const speakers = createSpeakers();
  const { say, whole, endPart } = speakers;

  function message(event: EventOf<"agent">): SpokenPiece[] {
    const { parentCallId: speaker, messageId, message: words } = event;
    const rest = speakers.streamedBy(speaker).rest(event);
    const by: Said = { kind: "text", speaker, messageId };
    if (rest === words) return whole(by, rest);
    // The end of a message whose pieces were cut off belongs to them.
    return [...(rest === "" ? [] : say(by, rest)), ...endPart(speaker)];
  }

  function thought({ parentCallId: speaker, delta, message: words }: EventOf<"thinking">): SpokenPiece[] {
    const by: Said = { kind: "thinking", speaker, messageId: undefined };
    if (words !== undefined) return whole(by, words);
    return delta === undefined || delta === "" ? [] : say(by, delta);
  }

  return {
    add(event) {
      const { parentCallId: speaker } = event;
      switch (event.type) {
        case "text":
          if (event.delta === "") return [];
          speakers.streamedBy(speaker).add(event);
          return say({ kind: "text", speaker, messageId: event.messageId }, event.delta);
        case "agent":
          return event.role === undefined ? message(event) : [];
        case "thinking":
          return thought(event);
        case "tool_start":
        case "request":
          return endPart(speaker);
        case "warning":
          return event.code === "text_withdrawn" ? endPart(speaker, true) : [];
        case "orchestration":
          return event.action === "subagent_started" ? [] : speakers.forget(event.callId);
        case "turn":
        case "turn_end":
        case "result":
        case "exited":
          return speakers.endAll();
        default:
          return [];
      }
    },
    end: speakers.endAll,
  };
}

type Said = Omit<SpokenPart, "number">;

interface Speaker {
  streamed: SpokenText;
  open: SpokenPart | undefined;
}

/** Who speaks, and the part that each has open. */
function createSpeakers() {
  const speakers = new Map<string | undefined, Speaker>();
  let count = 0;

  function speakerOf(id: string | undefined): Speaker {
    const known = speakers.get(id);
    if (known !== undefined) return known;
    const speaker = { streamed: createSpokenText(), open: undefined };
    speakers.set(id, speaker);
    return speaker;
  }

  function endPart(id: string | undefined, isWithdrawn = false): SpokenPiece[] {
    const speaker = speakers.get(id);
    if (speaker?.open === undefined) return [];
    const part = speaker.open;
    speaker.open = undefined;
    return [{ action: "end", part, isWithdrawn }];
  }

  /** Continues the open part if it is the same text, else begins a new one. */
  function say(by: Said, delta: string): SpokenPiece[] {
    const speaker = speakerOf(by.speaker);
    const { open } = speaker;
    if (open !== undefined && open.kind === by.kind && open.messageId === by.messageId)
      return [{ action: "piece", part: open, delta }];
    const before = endPart(by.speaker);
    count += 1;
    const part = { number: count, ...by };
    speaker.open = part;
    return [...before, { action: "begin", part }, { action: "piece", part, delta }];
  }

  return {
    say,
    endPart,
    streamedBy: (id: string | undefined) => speakerOf(id).streamed,
    /** A part of its own. */
    whole(by: Said, words: string): SpokenPiece[] {
      const before = endPart(by.speaker);
      return words === "" ? before : [...before, ...say(by, words), ...endPart(by.speaker)];
    },
    endAll: (): SpokenPiece[] => [...speakers.keys()].flatMap((id) => endPart(id)),
    /** A subagent has ended. */
    forget(id: string | undefined): SpokenPiece[] {
      if (id === undefined) return [];
      const ended = endPart(id);
      speakers.delete(id);
      return ended;
    },
  };
}
