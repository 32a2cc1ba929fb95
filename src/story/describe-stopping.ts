import type { StopReason } from "../events/recording-meta.js";

const words: ReadonlyMap<string, string> = new Map<StopReason, string>([
  ["timed_out", "Stopping (time limit)…"],
  ["stalled", "Stopping (idle limit)…"],
  ["not_exiting", "Stopping (it does not exit)…"],
]);

/** That a run is being stopped, and why, unless somebody asked for it. A recording may name a reason of a later version. */
export function describeStopping(reason: StopReason): string {
  return words.get(reason) ?? "Stopping…";
}
