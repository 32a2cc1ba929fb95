import { systemCode } from "../errors.js";

/** `refused`: the process belongs to another user. */
type Sent = "sent" | "gone" | "refused";

/** Signals a process, or a process group if `target` is negative. Signal 0 only asks whether it exists. */
export function send(target: number, signal: NodeJS.Signals | 0): Sent {
  try {
    process.kill(target, signal);
    return "sent";
  } catch (error) {
    return systemCode(error) === "EPERM" ? "refused" : "gone";
  }
}

/** True if there is such a process, or process group if negative. Zombies and other users' processes count. */
export function exists(target: number): boolean {
  return send(target, 0) !== "gone";
}
