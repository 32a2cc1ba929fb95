import type { EventOf, HarnessEvent, RequestedOperation } from "../../../src/events/event.js";

/** What happened in a session, in one short line for each turn, request, steering prompt and plan, and for the session itself. */
export function summaryOf(events: readonly HarnessEvent[]): string[] {
  const prompts = new Map<string, string>();
  const requests = new Map<string, EventOf<"request">>();
  const tokens = new Map<string | undefined, number>();
  return events.flatMap((event) => {
    switch (event.type) {
      case "turn":
        prompts.set(event.turnId, event.prompt?.replaceAll("\n", "\\n") ?? `(${event.origin})`);
        return [];
      case "request":
        requests.set(event.requestId, event);
        return [];
      case "usage":
        if (event.scope === "turn") tokens.set(event.turnId, event.totalTokens ?? 0);
        return [];
      case "request_end":
        return [requestLine(requests.get(event.requestId), event)];
      case "agent":
        return event.role === "user" ? [`  steered: ${event.message}`] : [];
      case "plan":
        return [`  plan: ${event.entries.map(({ content, status }) => `${content} ${status}`).join(", ")}`];
      case "turn_end":
        return [turnLine(prompts.get(event.turnId), event, tokens.get(event.turnId))];
      case "result":
        return [`session ${event.failure?.kind ?? "ok"}`];
      default:
        return [];
    }
  });
}

function turnLine(
  prompt: string | undefined,
  event: EventOf<"turn_end">,
  tokens: number | undefined,
): string {
  const how = event.failure === undefined ? event.reason : `${event.reason} ${event.failure.kind}`;
  const text = event.text?.split("\n")[0] ?? "-";
  return `${prompt} → ${how}: ${text} [${tokens ?? "?"}]`;
}

function requestLine(request: EventOf<"request"> | undefined, event: EventOf<"request_end">): string {
  const { kind, name, operations = [], parentCallId, questions } = request ?? {};
  const asked = questions?.map(({ id }) => id) ?? operations.map(operationOf);
  const who = parentCallId === undefined ? "" : " of a subagent";
  const why = event.message === undefined ? "" : ` (${event.message})`;
  return `  ${kind}${who} ${[name, ...asked].join(" | ")}: ${event.outcome} by ${event.by}${why}`;
}

function operationOf(operation: RequestedOperation): string {
  const { type, ...about } = operation;
  return [type, ...Object.values(about)].join(" ");
}
