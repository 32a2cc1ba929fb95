import { readFileSync } from "node:fs";
import type { ProcessIdentity } from "../events/recording-meta.js";
import { exists } from "./signal.js";

export function ownIdentity(): ProcessIdentity {
  const started = startOf(process.pid);
  return { pid: process.pid, ...(started !== undefined && { started }) };
}

/** True while this exact process is alive. */
export function isSameProcess({ pid, started }: ProcessIdentity): boolean {
  if (!exists(pid)) return false;
  return started === undefined || started === startOf(pid);
}

/** The boot id and the start time, on Linux. */
function startOf(pid: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended; only its parent has not reaped it yet.
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    const ticks = fields[19];
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}:${ticks}`;
  } catch {
    return undefined;
  }
}
