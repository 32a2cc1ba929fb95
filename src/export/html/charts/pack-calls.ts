import { type Bar, type PlacedCall, toBar } from "./bar.js";
import type { TimeAxis } from "./time-axis.js";

/** So many calls at the same time get a line of their own, per depth. */
const maxLanes = 8;
/** Bars of one kind that are closer than this share of the whole are drawn as one. */
const closest = 1 / 600;

/** Many calls on few lines: those of the agent first, then those of its subagents. */
export function packCalls(calls: readonly PlacedCall[], axis: TimeAxis): Bar[][] {
  const byDepth: Bar[][] = [];
  for (const { call, depth } of calls) {
    while (byDepth.length <= depth) byDepth.push([]);
    byDepth[depth]?.push(toBar(call, axis));
  }
  return byDepth.flatMap((bars) => packDepth(bars, axis));
}

function packDepth(bars: readonly Bar[], axis: TimeAxis): Bar[][] {
  const gap = axis.duration * closest;
  const lanes: Bar[][] = [];
  for (const bar of [...bars].sort((a, b) => a.start - b.start)) {
    const lane = freeLane(lanes, bar);
    const last = lane.at(-1);
    if (last !== undefined && isOne(last, bar, gap)) join(last, bar);
    else lane.push(bar);
  }
  return lanes;
}

function freeLane(lanes: Bar[][], bar: Bar): Bar[] {
  const free = lanes.find((lane) => (lane.at(-1)?.end ?? 0) <= bar.start);
  if (free !== undefined) return free;
  const last = lanes.at(-1);
  if (last !== undefined && lanes.length >= maxLanes) return last;
  const lane: Bar[] = [];
  lanes.push(lane);
  return lane;
}

/** A failure is never hidden in a crowd. */
function isOne(last: Bar, bar: Bar, gap: number): boolean {
  const isShort = bar.end - last.start < gap || (bar.end - bar.start < gap && bar.start - last.end < gap);
  return isShort && last.kind === bar.kind && last.hasFailed === bar.hasFailed;
}

function join(last: Bar, bar: Bar): void {
  last.end = Math.max(last.end, bar.end);
  last.count += bar.count;
}
