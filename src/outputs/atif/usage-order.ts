import type { HarnessEvent } from "../../events/event.js";

/**
 * Where the numbers of a request stand in a stream. `after`: behind the calls that the model made in it (Claude Code,
 * OpenCode). `before`: between what the model said and its calls, which are reported when they run (Pi, Cline). `unknown`: there
 * are none, or not one for each request.
 */
export type UsageOrder = "after" | "before" | "unknown";

/** The order in each thread: in the main one, and in those of the subagents, by the call that started them. */
export function usageOrders(events: readonly HarnessEvent[]): (thread: string | undefined) => UsageOrder {
  const threads = new Map<string | undefined, Evidence>();
  for (const event of events) {
    const evidence = threads.get(event.parentCallId) ?? { ...nothing, order: "unknown" };
    threads.set(event.parentCallId, evidence);
    notice(evidence, event);
  }
  return (thread) => threads.get(thread)?.order ?? "unknown";
}

/** What was seen of a turn, up to its first call after the first numbers. */
interface Evidence {
  order: UsageOrder;
  hasUsage: boolean;
  hasCall: boolean;
  hasResult: boolean;
  /** The model spoke after a result and before the first numbers: they cannot be those of the calls. */
  isLate: boolean;
}

const nothing = { hasUsage: false, hasCall: false, hasResult: false, isLate: false };

function notice(seen: Evidence, event: HarnessEvent): void {
  switch (event.type) {
    case "turn":
    case "turn_end":
      Object.assign(seen, nothing);
      return;
    case "tool_start":
      if (seen.hasUsage && !seen.hasCall && seen.order === "unknown") seen.order = "before";
      seen.hasCall = true;
      return;
    case "tool_end":
      seen.hasResult = true;
      return;
    case "agent":
    case "text":
    case "thinking":
      if (!seen.hasUsage) seen.isLate ||= seen.hasResult;
      return;
    case "usage":
      if (event.scope !== "step") return;
      if (!seen.hasUsage && seen.hasCall && !seen.isLate) seen.order = "after";
      seen.hasUsage = true;
  }
}
