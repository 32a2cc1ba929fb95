import type { SpokenPiece } from "../spoken-parts.js";
import { textPieces } from "./limits.js";
import type { AgUiEvent } from "./schema.js";

type Owner = { subagentRunId?: string };

/** What is said, as messages and reasoning, each marked with whose it is. */
export interface Messages {
  of(item: SpokenPiece, owner: Owner): AgUiEvent[];
}

export function createMessages(idOf: (kind: string, number: number) => string): Messages {
  /** Whoever began a message owns it to its end. */
  const owners = new Map<number, Owner>();

  return {
    of(item, given) {
      const { number, kind, messageId: nativeId } = item.part;
      if (item.action === "begin") owners.set(number, item.part.speaker === undefined ? {} : given);
      const owner = owners.get(number) ?? {};
      if (item.action === "end") owners.delete(number);
      const messageId = idOf(kind === "text" ? "message" : "reasoning", number);
      if (kind === "thinking") return toReasoning(item, messageId, owner);
      const about = {
        ...(nativeId !== undefined && { messageId: nativeId }),
        ...(item.action === "end" && item.isWithdrawn && { isWithdrawn: true }),
      };
      return toText(item, messageId, {
        ...owner,
        ...(Object.keys(about).length > 0 && { metadata: { harness: about } }),
      });
    },
  };
}

function toText(
  item: SpokenPiece,
  messageId: string,
  more: Owner & Pick<AgUiEvent, "metadata">,
): AgUiEvent[] {
  const { metadata: _, ...owner } = more;
  switch (item.action) {
    case "begin":
      return [{ type: "TEXT_MESSAGE_START", messageId, role: "assistant", ...more }];
    case "piece":
      return textPieces(item.delta).map((delta) => ({
        type: "TEXT_MESSAGE_CONTENT",
        messageId,
        delta,
        ...owner,
      }));
    case "end":
      return [{ type: "TEXT_MESSAGE_END", messageId, ...(item.isWithdrawn ? more : owner) }];
  }
}

function toReasoning(item: SpokenPiece, messageId: string, owner: Owner): AgUiEvent[] {
  switch (item.action) {
    case "begin":
      return [
        { type: "REASONING_START", messageId, ...owner },
        { type: "REASONING_MESSAGE_START", messageId, role: "reasoning", ...owner },
      ];
    case "piece":
      return textPieces(item.delta).map((delta) => ({
        type: "REASONING_MESSAGE_CONTENT",
        messageId,
        delta,
        ...owner,
      }));
    case "end":
      return [
        { type: "REASONING_MESSAGE_END", messageId, ...owner },
        { type: "REASONING_END", messageId, ...owner },
      ];
  }
}
