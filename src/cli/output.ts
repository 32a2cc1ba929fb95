import { once } from "node:events";
import type { Writable } from "node:stream";
import { systemCode } from "../errors.js";

/** Where a command prints. Writes are awaited, so that a slow reader slows the agent and not our memory. */
export interface Output {
  write(text: string | Uint8Array): Promise<void> | undefined;
  /** The reader is gone (`| head`): nothing more can be printed, and that is not an error. */
  readonly isClosed: boolean;
  /** Called once when the reader goes away. */
  onClose(listener: () => void): void;
}

/** The reader of a pipe has closed it; the terminal is gone. */
const readerGone: ReadonlySet<string> = new Set(["EPIPE", "EIO"]);

export function createOutput(stream: Writable): Output {
  let isClosed = false;
  const listeners: (() => void)[] = [];
  stream.on("error", (error) => {
    if (!readerGone.has(systemCode(error) ?? "")) throw error;
    if (isClosed) return;
    isClosed = true;
    for (const listener of listeners) listener();
  });
  return {
    write(text) {
      if (isClosed || text.length === 0 || stream.write(text)) return undefined;
      return drained(stream);
    },
    get isClosed() {
      return isClosed;
    },
    onClose(listener) {
      listeners.push(listener);
    },
  };
}

async function drained(stream: Writable): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  await Promise.race([once(stream, "drain", { signal }), once(stream, "close", { signal })]).catch(
    () => undefined,
  );
  controller.abort();
}
