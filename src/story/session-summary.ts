import type { PlanEntry } from "../events/live-event.js";
import type { RequestSummary, RunSummary, SummaryEvent, SummaryEventOf, TurnSummary } from "./run-summary.js";
import { tokenCountsOf } from "./spending.js";

/** The turns of a live session, what was asked in them, and the agent's latest plan. */
export interface SessionSummary {
  add(event: SummaryEvent): void;
  /** A copy. Empty lists are absent. */
  read(): Pick<RunSummary, "turns" | "requests" | "plan">;
}

export function createSessionSummary(): SessionSummary {
  const turns: TurnSummary[] = [];
  const requests: RequestSummary[] = [];
  const open = new Map<string, RequestSummary>();
  let plan: readonly PlanEntry[] | undefined;

  function turnOf(turnId: string | undefined): TurnSummary | undefined {
    return turns.findLast((turn) => turn.turnId === turnId);
  }

  return {
    add(event) {
      switch (event.type) {
        case "turn": {
          const { turnId, origin, prompt } = event;
          turns.push({ turnId, origin, ...(prompt !== undefined && { prompt }) });
          return;
        }
        case "usage": {
          const turn = event.scope === "turn" ? turnOf(event.turnId) : undefined;
          if (turn !== undefined) turn.usage = tokenCountsOf(event);
          return;
        }
        case "turn_end":
          Object.assign(turnOf(event.turnId) ?? {}, endOf(event));
          return;
        case "request": {
          const request = requestOf(event);
          requests.push(request);
          open.set(event.requestId, request);
          return;
        }
        case "request_end":
          Object.assign(open.get(event.requestId) ?? {}, decisionOf(event));
          open.delete(event.requestId);
          return;
        case "plan":
          if (event.parentCallId === undefined) plan = event.entries;
      }
    },
    read: () => ({
      ...(turns.length > 0 && { turns: turns.map((turn) => ({ ...turn })) }),
      ...(requests.length > 0 && { requests: requests.map((request) => ({ ...request })) }),
      ...(plan !== undefined && { plan: [...plan] }),
    }),
  };
}

function endOf(event: SummaryEventOf<"turn_end">): Partial<TurnSummary> {
  const { isSuccess, reason, text, failure, costUsd, costSource = "agent", durationMs } = event;
  return {
    outcome: { isSuccess, reason },
    ...(text !== undefined && { text }),
    ...(failure !== undefined && { failure }),
    ...(costUsd !== undefined && { costUsd, costSource }),
    ...(durationMs !== undefined && { durationMs }),
  };
}

function requestOf(event: SummaryEventOf<"request">): RequestSummary {
  const { requestId, turnId, kind, name, operations, message, questions } = event;
  return {
    requestId,
    ...(turnId !== undefined && { turnId }),
    kind,
    name,
    ...(operations !== undefined && { operations }),
    ...(message !== undefined && { message }),
    ...(questions !== undefined && { questions }),
  };
}

function decisionOf(event: SummaryEventOf<"request_end">): Partial<RequestSummary> {
  const { outcome, by, rule, message } = event;
  return {
    outcome,
    by,
    ...(rule !== undefined && { rule }),
    ...(message !== undefined && { reason: message }),
  };
}
