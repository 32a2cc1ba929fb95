import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { OperationEvent } from "../../events/operation.js";
import type { AtifStep } from "./schema.js";

/** A step while events are still added to it. */
export interface DraftStep {
  readonly source: AtifStep["source"];
  readonly timestamp: string;
  model?: string | undefined;
  readonly messages: DraftMessage[];
  /** The messages that are not whole yet, by their id. */
  readonly open: Map<string | undefined, DraftMessage>;
  readonly thoughts: { text: string; isWhole: boolean }[];
  readonly calls: DraftCall[];
  usage?: EventOf<"usage">;
  /** The numbers came before anything else of the request. */
  isCountedFirst?: true;
  /** Events that ATIF has no place for. */
  readonly others: HarnessEvent[];
}

/** What was said, in pieces or as a whole. */
interface DraftMessage {
  text: string;
  isWhole: boolean;
  /** The agent has begun this message again. */
  isWithdrawn?: true;
}

export interface DraftCall {
  /** Unique in its thread. */
  readonly id: string;
  readonly start: EventOf<"tool_start">;
  end?: EventOf<"tool_end">;
  isUnfinished?: boolean;
  /** What the call did. */
  readonly operations: OperationEvent[];
}

export function draftStep(source: DraftStep["source"], timestamp: string): DraftStep {
  return { source, timestamp, messages: [], open: new Map(), thoughts: [], calls: [], others: [] };
}

/** True if the model may have read the result of a call of this step. */
export function hasResult(step: DraftStep): boolean {
  return step.calls.some((call) => call.end !== undefined);
}

export function hasOpenCall(step: DraftStep): boolean {
  return step.calls.some((call) => call.end === undefined);
}
