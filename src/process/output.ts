import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

export interface OutputListeners {
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
  /** A pipe was read to its end. Not called when somebody else holds it open. */
  onEnd(stream: "stdout" | "stderr"): void;
}

/** Which pipes are not read for now. */
export type Paused = "nothing" | "stdout" | "both";

/** What a process prints. */
export interface Output {
  setPaused(paused: Paused): void;
  /** After the exit: resolves when all is read. True when somebody else holds a pipe open. */
  drain(): Promise<boolean>;
  close(): void;
}

/** A pipe that somebody else holds open never ends: after this long without output it counts as read. */
const quietMs = 250;
const longestDrainMs = 5000;
/** Far more than a pipe holds: what comes after so many bytes was not written before the exit. */
const longestDrainBytes = 16 * 1024 * 1024;

/** Reads both pipes as they fill, unless they are paused. After the exit nothing is paused any more. */
export function readOutput(child: ChildProcess, { onStdout, onStderr, onEnd }: OutputListeners): Output {
  const streams = [child.stdout, child.stderr].filter((stream): stream is Readable => stream !== null);
  const closed = Promise.all(
    streams.map((stream) => new Promise((resolve) => stream.once("close", resolve))),
  );
  let bytes = 0;
  let isDraining = false;
  let isOver = false;

  function listen(stream: Readable | null, give: (chunk: Buffer) => void): void {
    stream?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (!isOver) give(chunk);
    });
    // A broken pipe is the end of it; the exit tells the rest.
    stream?.on("error", () => {});
  }

  function close(): void {
    isOver = true;
    for (const stream of streams) stream.destroy();
  }

  /** Ends after a time without output, in which the pipes were looked at and not only the clock. */
  async function untilQuiet(signal: AbortSignal): Promise<true> {
    const deadline = Date.now() + longestDrainMs;
    const most = bytes + longestDrainBytes;
    for (let seen = -1; seen !== bytes; ) {
      seen = bytes;
      await sleep(quietMs, undefined, { signal });
      await nextTurn();
      if (Date.now() <= deadline && bytes <= most) continue;
      close();
      break;
    }
    return true;
  }

  listen(child.stdout, onStdout);
  listen(child.stderr, onStderr);
  child.stdout?.once("end", () => onEnd("stdout"));
  child.stderr?.once("end", () => onEnd("stderr"));

  function setPaused(paused: Paused): void {
    pauseIf(child.stdout, !isDraining && paused !== "nothing");
    pauseIf(child.stderr, !isDraining && paused === "both");
  }

  return {
    setPaused,
    async drain() {
      isDraining = true;
      setPaused("nothing");
      const controller = new AbortController();
      const isHeld = untilQuiet(controller.signal).catch(() => false);
      await Promise.race([closed, isHeld]);
      controller.abort();
      return isHeld;
    },
    close,
  };
}

function pauseIf(stream: Readable | null, isPaused: boolean): void {
  if (isPaused) stream?.pause();
  else stream?.resume();
}
