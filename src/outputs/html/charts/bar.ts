import { isFailedCall } from "../../../story/timeline/describe-call.js";
import type { CallItem } from "../../../story/timeline/items.js";
import { type Kind, kindsOf } from "../../../story/timeline/kinds.js";
import type { TimeAxis } from "./time-axis.js";

/** One bar: a call, or many that are too close together to be drawn apart. */
export interface Bar {
  start: number;
  end: number;
  kind: Kind;
  hasFailed: boolean;
  count: number;
  call: CallItem;
}

/** A call and how deep in subagents it is. */
export interface PlacedCall {
  call: CallItem;
  depth: number;
}

export function toBar(call: CallItem, axis: TimeAxis): Bar {
  const end = call.end ?? axis.duration;
  return { start: call.time, end, kind: kindsOf(call)[0], hasFailed: isFailedCall(call), count: 1, call };
}
