import { uptime } from "node:os";
import { monotonicTime } from "../process/monotonic-time.js";

/** The clocks of a system. All but `uptime` are in milliseconds. */
export interface Clocks {
  /** The time of day. Anybody may set it, also back. */
  wall(): number;
  /** Never goes back, and may stand still while the machine sleeps. */
  monotonic(): number;
  /** Seconds since the machine was started, its sleep included. */
  uptime(): number;
}

const systemClocks: Clocks = { wall: () => Date.now(), monotonic: monotonicTime, uptime };

/** A lead of the time of day that is worth a look at why: smaller ones are corrections of a clock that is not quite right. */
const noticedMs = 1000;

/**
 * The time within one run, as ISO 8601 text: the time of day at its start, and from there on what has really passed. So no
 * event is before the one that it follows, no run ends before it starts, and the difference of two times is a duration, whatever
 * is done to the clock. Only when the machine has slept does it follow the time of day.
 */
export function createRunClock(clocks: Clocks = systemClocks): () => string {
  const origin = clocks.wall();
  const startedAt = clocks.monotonic();
  const upAtStart = clocks.uptime();
  let sleptMs = 0;
  let knownLead = 0;

  function sleptSince(elapsed: number): number {
    const slept = (clocks.uptime() - upAtStart) * 1000 - elapsed;
    return slept >= noticedMs ? slept : 0;
  }

  return () => {
    const elapsed = clocks.monotonic() - startedAt;
    const lead = clocks.wall() - origin - elapsed;
    if (lead - knownLead >= noticedMs) {
      knownLead = lead;
      sleptMs = Math.max(sleptMs, sleptSince(elapsed));
    }
    return toText(Math.floor(origin + elapsed + sleptMs));
  };
}

let latest = { milliseconds: Number.NaN, text: "" };

/** Hundreds of runs in a process ask for the time many times in a millisecond, and to write it takes a microsecond. */
function toText(milliseconds: number): string {
  if (milliseconds !== latest.milliseconds)
    latest = { milliseconds, text: new Date(milliseconds).toISOString() };
  return latest.text;
}
