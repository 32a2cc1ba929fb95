import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { monotonicTime } from "./monotonic-time.js";
import { createPacedPipe, type PacedPipe, type PacedPipeListeners } from "./paced-pipe.js";

export interface OutputListeners {
  /** Called with pieces of any size, in order. */
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
  const stdout = pipeOf(child.stdout, { onPiece: onStdout, onEnd: () => onEnd("stdout") });
  const stderr = pipeOf(child.stderr, { onPiece: onStderr, onEnd: () => onEnd("stderr") });
  const pipes = [stdout, stderr].filter((pipe) => pipe !== undefined);
  const closed = Promise.all(pipes.map((pipe) => pipe.closed));
  let isDraining = false;

  function close(): void {
    for (const pipe of pipes) pipe.close();
  }

  function bytesGiven(): number {
    return pipes.reduce((total, pipe) => total + pipe.bytes, 0);
  }

  /** Ends after a time without output, in which the pipes were looked at and not only the clock. */
  async function untilQuiet(signal: AbortSignal): Promise<true> {
    const deadline = monotonicTime() + longestDrainMs;
    const most = bytesGiven() + longestDrainBytes;
    for (let seen = -1; seen !== bytesGiven() || pipes.some((pipe) => pipe.isBehind); ) {
      seen = bytesGiven();
      await sleep(quietMs, undefined, { signal });
      await nextTurn();
      if (monotonicTime() <= deadline && bytesGiven() <= most) continue;
      close();
      break;
    }
    return true;
  }

  function setPaused(paused: Paused): void {
    stdout?.setPaused(!isDraining && paused !== "nothing");
    stderr?.setPaused(!isDraining && paused === "both");
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

function pipeOf(stream: Readable | null, listeners: PacedPipeListeners): PacedPipe | undefined {
  return stream === null ? undefined : createPacedPipe(stream, listeners);
}
