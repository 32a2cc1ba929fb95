import type { OperationEvent } from "../../events/operation.js";
import { hasFailed } from "../outcomes.js";
import { isFailedCall, isOpenCall } from "./describe-call.js";
import type { Item } from "./items.js";

/** The filters of a timeline, in the order of their buttons. `isHidden`: off at first. */
export const kinds = [
  { id: "turn", label: "Turns" },
  { id: "message", label: "Messages" },
  { id: "thinking", label: "Thinking" },
  { id: "command", label: "Commands" },
  { id: "write", label: "Edits" },
  { id: "read", label: "Reads" },
  { id: "search", label: "Searches" },
  { id: "list", label: "Listings" },
  { id: "skill", label: "Skills" },
  { id: "subagent", label: "Subagents" },
  { id: "tool", label: "Other tools" },
  { id: "request", label: "Requests" },
  { id: "plan", label: "Plans" },
  { id: "error", label: "Errors" },
  { id: "warning", label: "Warnings" },
  { id: "run", label: "Run" },
  { id: "unknown", label: "Not understood", isHidden: true },
] as const;

export type Kind = (typeof kinds)[number]["id"];

/** The kinds of an item, for filters and colours. It is drawn as the first one. */
export function kindsOf(item: Item): readonly [Kind, ...Kind[]] {
  switch (item.kind) {
    case "call": {
      const planned = item.operations.length === 0 && isOpenCall(item) ? (item.planned ?? []) : [];
      const [first, ...rest] = new Set([
        ...item.operations.map(kindOfOperation),
        ...planned.map(({ type }) => type),
      ]);
      return first === undefined ? ["tool"] : [first, ...rest];
    }
    case "operation":
      return [kindOfOperation(item.operation)];
    case "edits":
      return ["write"];
    case "turn_end":
      return ["turn"];
    case "session":
    case "end":
      return ["run"];
    default:
      return [item.kind];
  }
}

function kindOfOperation(event: OperationEvent): Kind {
  return event.type === "orchestration" ? "subagent" : event.type;
}

/** True for what went wrong. */
export function isProblem(item: Item): boolean {
  switch (item.kind) {
    case "error":
    case "warning":
      return true;
    case "call":
      return isFailedCall(item);
    case "operation":
      return hasFailed(item.operation);
    case "turn_end":
      return !item.end.isSuccess;
    case "end":
      return item.result?.isSuccess === false;
    default:
      return false;
  }
}
