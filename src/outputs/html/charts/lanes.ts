import { type Kind, kinds } from "../../../story/timeline/kinds.js";
import { type Bar, type PlacedCall, toBar } from "./bar.js";
import type { TimeAxis } from "./time-axis.js";

/** All calls of one kind. */
export interface Lane {
  kind: Kind;
  label: string;
  count: number;
  failures: number;
  /** How long they took together. */
  took: number;
  bars: Bar[];
}

/** Bars that are closer than this share of the whole are drawn as one. */
const closest = 1 / 500;

/** Many calls, by kind. */
export function toLanes(calls: readonly PlacedCall[], axis: TimeAxis): Lane[] {
  const bars = calls.map(({ call }) => toBar(call, axis)).sort((a, b) => a.start - b.start);
  return kinds.flatMap(({ id, label }) => {
    const own = bars.filter((bar) => bar.kind === id);
    if (own.length === 0) return [];
    const failures = own.filter((bar) => bar.hasFailed).length;
    const took = own.reduce((sum, bar) => sum + bar.end - bar.start, 0);
    return [{ kind: id, label, count: own.length, failures, took, bars: joinClose(own, axis) }];
  });
}

/** A failure is never merged with other bars: it is drawn apart, and last. */
function joinClose(bars: readonly Bar[], axis: TimeAxis): Bar[] {
  const gap = axis.duration * closest;
  const joined: Record<"passed" | "failed", Bar[]> = { passed: [], failed: [] };
  for (const bar of bars) {
    const group = joined[bar.hasFailed ? "failed" : "passed"];
    const last = group.at(-1);
    const isClose = last !== undefined && bar.start - last.end < gap && bar.end - last.start < 8 * gap;
    if (isClose) {
      last.end = Math.max(last.end, bar.end);
      last.count += bar.count;
    } else group.push(bar);
  }
  return [...joined.passed, ...joined.failed];
}
