import type { EventOf } from "../../events/event.js";
import type { PlanEntry, PlannedOperation } from "../../events/live-event.js";
import type { OperationEvent } from "../../events/operation.js";
import type { JsonValue } from "../../text/json.js";

/** On every item. Times are milliseconds since the start of the run. */
interface Common {
  /** `seq` of the event that it begins with. */
  seq: number;
  time: number;
}

/** A message: all of it, or as much as was streamed before the run ended. */
export interface MessageItem extends Common {
  kind: "message";
  role: "assistant" | "user" | "system";
  text: string;
  isCutOff: boolean;
}

export interface ThinkingItem extends Common {
  kind: "thinking";
  text: string;
}

/** A tool call with its result, what it did, and what its subagent did if it started one. */
export interface CallItem extends Common {
  kind: "call";
  callId: string;
  name: string;
  input?: JsonValue;
  output?: JsonValue;
  isSuccess?: boolean;
  /** It was not carried out: the request for it was denied or withdrawn. */
  isRefused?: boolean;
  /** The request for it is open: it has not begun. */
  isAsking?: boolean;
  /** Absent while it is running. */
  end?: number;
  operations: OperationEvent[];
  /** What it is going to do, if its name and input say so. Known before `operations` are. */
  planned?: readonly PlannedOperation[];
  children: Item[];
}

/** Something that was done without a call. */
export interface OperationItem extends Common {
  kind: "operation";
  operation: OperationEvent;
}

export interface NoticeItem extends Common {
  kind: "error" | "warning";
  message: string;
  code?: string;
}

export interface EditsItem extends Common {
  kind: "edits";
  edits: EventOf<"edits">["edits"];
}

export interface UnknownItem extends Common {
  kind: "unknown";
  raw: JsonValue;
}

export interface SessionItem extends Common {
  kind: "session";
  model?: string;
  sessionId?: string;
}

export interface EndItem extends Common {
  kind: "end";
  result?: EventOf<"result">;
  exited?: EventOf<"exited">;
}

/** A turn of a live session began. */
export interface TurnItem extends Common {
  kind: "turn";
  /** 1, 2, 3 … in the session. */
  number: number;
  origin: EventOf<"turn">["origin"];
  prompt?: string;
}

export interface TurnEndItem extends Common {
  kind: "turn_end";
  number: number;
  end: EventOf<"turn_end">;
  /** All tokens of the turn, if they were reported. */
  tokens?: number;
}

/** The agent asked, and how that ended. */
export interface RequestItem extends Common {
  kind: "request";
  request: EventOf<"request">;
  /** Absent while the agent waits. */
  decision?: EventOf<"request_end">;
  end?: number;
}

/** The agent's to-do list, each time it changes. */
export interface PlanItem extends Common {
  kind: "plan";
  entries: readonly PlanEntry[];
}

export type Item =
  | MessageItem
  | ThinkingItem
  | CallItem
  | OperationItem
  | NoticeItem
  | EditsItem
  | UnknownItem
  | SessionItem
  | TurnItem
  | TurnEndItem
  | RequestItem
  | PlanItem
  | EndItem;

/** The usage of one request to the model, at its time. */
export interface UsageStep {
  time: number;
  usage: EventOf<"usage">;
}

/** A run as people read it: what belongs together is one item, and subagents are inside their call. */
export interface Timeline {
  items: Item[];
  /** Requests to the model, if the agent reports each of them. */
  steps: UsageStep[];
  /** Time of the last event. */
  duration: number;
}
