import { systemCode } from "../errors.js";

/** `refused`: the process is another user's. */
export type Sent = "sent" | "gone" | "refused";

/** Signals a process, or with a negative number a process group. */
export function send(target: number, name: NodeJS.Signals): Sent {
  try {
    process.kill(target, name);
    return "sent";
  } catch (error) {
    return systemCode(error) === "EPERM" ? "refused" : "gone";
  }
}
