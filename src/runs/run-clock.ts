import { uptime } from "node:os";
import { monotonicTime } from "../process/monotonic-time.js";

/** The clocks of a system. All but `uptime` are in milliseconds. */
export interface Clocks {
  /** The wall clock. It can be set forward and back at any time. */
  wall(): number;
  /** A monotonic clock. It may stand still while the machine sleeps. */
  monotonic(): number;
  /** Seconds since the machine was started, including sleep. */
  uptime(): number;
}

const systemClocks: Clocks = { wall: () => Date.now(), monotonic: monotonicTime, uptime };

/** If the wall clock is ahead by more than this, the machine may have slept. Smaller differences are clock corrections. */
const noticedMs = 1000;

/**
 * The time within one run, as ISO 8601 text: the wall clock at its start plus the time that has really passed. So no event is
 * earlier than the one before it, no run ends before it starts, and the difference of two times is a duration, even if
 * somebody sets the clock. Only after the machine has slept does it follow the wall clock again.
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

/** Formatting takes a microsecond, and hundreds of runs ask for the same millisecond many times. */
function toText(milliseconds: number): string {
  if (milliseconds !== latest.milliseconds)
    latest = { milliseconds, text: new Date(milliseconds).toISOString() };
  return latest.text;
}
