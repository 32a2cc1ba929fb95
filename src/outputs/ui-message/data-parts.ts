import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { CallNames } from "../call-names.js";
import { fieldsOf } from "../event-fields.js";
import type { UiMessageChunk, UiMessageDataParts } from "./schema.js";

/** What has no part of its own in the protocol. */
export interface DataParts {
  /** Undefined for events that are something else. */
  of(event: HarnessEvent): UiMessageChunk | undefined;
}

export function createDataParts(names: CallNames): DataParts {
  const turns = new Map<string, UiMessageDataParts["harness-turn"]>();
  const requests = new Map<string, UiMessageDataParts["harness-request"]>();
  const subagents = new Map<string, UiMessageDataParts["harness-subagent"]>();

  function turn(event: EventOf<"turn">): UiMessageChunk {
    const { turnId } = event;
    const data = { ...fieldsOf(event, names), turnId };
    turns.set(turnId, data);
    return { type: "data-harness-turn", id: turnId, data };
  }

  function turnEnd(event: EventOf<"turn_end">): UiMessageChunk {
    const { turnId: _, parentToolCallId: __, ...end } = fieldsOf(event, names);
    const id = event.turnId;
    const begun = turns.get(id) ?? { turnId: id };
    turns.delete(id);
    return { type: "data-harness-turn", id, data: { ...begun, end } };
  }

  function request(event: EventOf<"request">): UiMessageChunk {
    const data = fieldsOf(event, names);
    requests.set(event.requestId, data);
    return { type: "data-harness-request", id: event.requestId, data };
  }

  function requestEnd(event: EventOf<"request_end">): UiMessageChunk {
    const { requestId, turnId: _, parentToolCallId: __, ...end } = fieldsOf(event, names);
    const begun = requests.get(requestId) ?? { requestId };
    requests.delete(requestId);
    return { type: "data-harness-request", id: requestId, data: { ...begun, end } };
  }

  /** Begins and ends are one part, found by the call and the agent's own id. Some agents give the id only once. */
  function subagent(event: EventOf<"orchestration">): UiMessageChunk {
    const fields = fieldsOf(event, names);
    const { toolCallId = "", subagentId } = fields;
    const exact = `${toolCallId}/${subagentId ?? ""}`;
    const id = subagents.has(exact) ? exact : (onlyOneOf(toolCallId) ?? exact);
    const data = { ...subagents.get(id), ...fields };
    if (event.action === "subagent_started") subagents.set(id, data);
    else subagents.delete(id);
    return { type: "data-harness-subagent", id, data };
  }

  /** The key of the open subagent of a call, if it has just one and either end lacks the id. */
  function onlyOneOf(toolCallId: string): string | undefined {
    const prefix = `${toolCallId}/`;
    const found = [...subagents.keys()].filter((key) => key.startsWith(prefix));
    return found.length === 1 ? found[0] : undefined;
  }

  return {
    of(event) {
      switch (event.type) {
        case "turn":
          return turn(event);
        case "turn_end":
          return turnEnd(event);
        case "request":
          return request(event);
        case "request_end":
          return requestEnd(event);
        case "orchestration":
          return subagent(event);
        default:
          return plainPart(event, names);
      }
    },
  };
}

/** The part of an event that stands for itself. */
function plainPart(event: HarnessEvent, names: CallNames): UiMessageChunk | undefined {
  switch (event.type) {
    case "command":
      return { type: "data-harness-command", data: { type: event.type, ...fieldsOf(event, names) } };
    case "read":
      return { type: "data-harness-read", data: { type: event.type, ...fieldsOf(event, names) } };
    case "write":
      return { type: "data-harness-write", data: { type: event.type, ...fieldsOf(event, names) } };
    case "search":
      return { type: "data-harness-search", data: { type: event.type, ...fieldsOf(event, names) } };
    case "list":
      return { type: "data-harness-list", data: { type: event.type, ...fieldsOf(event, names) } };
    case "skill":
      return { type: "data-harness-skill", data: { type: event.type, ...fieldsOf(event, names) } };
    case "plan":
      return { type: "data-harness-plan", id: planId(event), data: fieldsOf(event, names) };
    case "edits":
      return { type: "data-harness-edits", data: fieldsOf(event, names) };
    case "changes":
      return { type: "data-harness-changes", id: "changes", data: fieldsOf(event, names) };
    case "usage":
      return { type: "data-harness-usage", data: fieldsOf(event, names), transient: true };
    case "warning":
      return { type: "data-harness-warning", data: fieldsOf(event, names) };
    case "error":
      return { type: "data-harness-error", data: fieldsOf(event, names) };
    case "unknown":
      return { type: "data-harness-unknown", data: fieldsOf(event, names), transient: true };
    default:
      return undefined;
  }
}

/** A subagent has its own list. */
function planId({ parentCallId }: EventOf<"plan">): string {
  return parentCallId === undefined ? "plan" : `plan/${parentCallId}`;
}
