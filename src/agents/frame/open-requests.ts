import type { EventOf } from "../../events/event.js";
import type { SentRecord } from "../../events/raw-record.js";
import type { Draft, LiveSink, RequestDraft } from "../contract.js";

/** The requests of a live session that wait for an answer. Each one ends exactly once. */
export interface OpenRequests extends Pick<LiveSink, "request" | "openRequest"> {
  /** `sent` is the record with the answer, if there is one: it says who decided. */
  end(
    requestId: string,
    outcome: EventOf<"request_end">["outcome"],
    sent?: SentRecord,
    message?: string,
  ): void;
  /** The agent will not hear an answer to these any more. */
  withdraw(which: (request: RequestDraft) => boolean): void;
}

export function createOpenRequests(emit: (draft: Draft) => void): OpenRequests {
  const open = new Map<string, RequestDraft>();

  const requests: OpenRequests = {
    request(request) {
      if (open.has(request.requestId)) return;
      open.set(request.requestId, request);
      emit({ type: "request", ...request });
    },
    openRequest: (requestId) => open.get(requestId),
    end(requestId, outcome, sent, message) {
      if (!open.delete(requestId)) return;
      const by = outcome === "withdrawn" ? "agent" : (sent?.by ?? "caller");
      emit({ type: "request_end", requestId, outcome, by, rule: sent?.rule, message });
    },
    withdraw(which) {
      for (const request of [...open.values()].filter(which)) requests.end(request.requestId, "withdrawn");
    },
  };
  return requests;
}
