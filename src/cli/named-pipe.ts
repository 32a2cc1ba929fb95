import { constants, openSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { HarnessError, problemOf, systemCode } from "../errors.js";

/**
 * Opens a named pipe for writing. Undefined if the path is something else. A pipe without a reader is refused: opening
 * it would wait for one forever. It must be opened only once, since its reader sees the end when it is closed.
 */
export function openNamedPipe(path: string): Socket | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) return undefined;
  try {
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    return new Socket({ fd, readable: false, writable: true });
  } catch (error) {
    const isUnread = systemCode(error) === "ENXIO";
    const problem = isUnread ? "nobody reads this pipe; start its reader first" : problemOf(error);
    throw new HarnessError("unwritable_file", `${path} cannot be written: ${problem}`, { cause: error });
  }
}
