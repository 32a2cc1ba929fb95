import type { RecordedSummary } from "./recorded-summary.js";
import type { Item, MessageItem } from "./timeline/items.js";

/** The last message of the agent itself, when it is what the run resulted in. */
export function findAnswer(items: readonly Item[], { text }: RecordedSummary): MessageItem | undefined {
  for (const item of items.toReversed()) {
    if (item.kind !== "message" || item.role !== "assistant") continue;
    return text?.trim() === item.text.trim() ? item : undefined;
  }
  return undefined;
}
