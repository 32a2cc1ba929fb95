import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { monotonicTime } from "./monotonic-time.js";
import { createPacedPipe, type PacedPipe, type PacedPipeListeners } from "./paced-pipe.js";

export interface OutputListeners {
  /** Called with chunks of any size, in order. */
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
  /** A pipe was read to its end. Not called if another process keeps it open. */
  onEnd(stream: "stdout" | "stderr"): void;
}

/** Which pipes are currently not read. */
export type Paused = "nothing" | "stdout" | "both";

/** The output of a process. */
export interface ProcessOutput {
  setPaused(paused: Paused): void;
  /** To be called after the exit. Resolves when everything is read: true if another process keeps a pipe open. */
  drain(): Promise<boolean>;
  close(): void;
}

/** A pipe that another process keeps open never ends. After this long without output it counts as read. */
const quietMs = 250;
const maxDrainMs = 5000;
/** Far more than a pipe can buffer: anything beyond was written after the exit. */
const maxDrainBytes = 16 * 1024 * 1024;

/** Reads both pipes as they fill, unless they are paused. After the exit they can no longer be paused. */
export function readOutput(
  child: ChildProcess,
  { onStdout, onStderr, onEnd }: OutputListeners,
): ProcessOutput {
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

  /** Resolves after a time without output. The event loop gets a turn to read the pipes before the time counts. */
  async function untilQuiet(signal: AbortSignal): Promise<true> {
    const deadline = monotonicTime() + maxDrainMs;
    const maxBytes = bytesGiven() + maxDrainBytes;
    for (let seen = -1; seen !== bytesGiven() || pipes.some((pipe) => pipe.isBehind); ) {
      seen = bytesGiven();
      await sleep(quietMs, undefined, { signal });
      await nextTurn();
      if (monotonicTime() <= deadline && bytesGiven() <= maxBytes) continue;
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
