import type { SummaryEvent } from "./run-summary.js";

/**
 * Knows which calls were not carried out, because the request for them was denied or withdrawn. Agents report such a call as
 * failed or as not finished, with what it would have done.
 */
export interface RefusedCalls {
  add(event: SummaryEvent): void;
  /** True for the end of such a call, and for what it would have done. */
  has(attempt: { callId?: string; isSuccess?: boolean }): boolean;
}

export function createRefusedCalls(): RefusedCalls {
  const callOf = new Map<string, string>();
  const refused = new Set<string>();
  return {
    add(event) {
      if (event.type === "request" && event.callId !== undefined) callOf.set(event.requestId, event.callId);
      if (event.type !== "request_end") return;
      const callId = callOf.get(event.requestId);
      callOf.delete(event.requestId);
      if (callId === undefined) return;
      // An agent may ask twice about one call: the last decision counts.
      if (event.outcome === "denied" || event.outcome === "withdrawn") refused.add(callId);
      else refused.delete(callId);
    },
    // An agent that takes a request back may have got its answer elsewhere.
    has: ({ callId, isSuccess }) => callId !== undefined && isSuccess !== true && refused.has(callId),
  };
}
