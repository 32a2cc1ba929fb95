import { setMaxListeners } from "node:events";
import { statSync } from "node:fs";
import { createEnvironment } from "../../process/environment.js";
import { monotonicTime } from "../../process/monotonic-time.js";
import { startProcess } from "../../process/start.js";
import { withoutGit } from "../../runs/changes/git.js";
import type { ShellResult } from "../model/cell.js";
import { createBoundedLog } from "./bounded-log.js";

export interface ShellStep {
  command: string;
  cwd: string;
  runId: string;
  timeoutMs: number;
  /** Gets what the command prints, on both streams. Without it, only the end is kept. */
  logPath?: string | undefined;
  /** The same, while the command runs. */
  onOutput?: ((piece: Buffer) => void) | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  /** Stops the command. */
  signal?: AbortSignal | undefined;
}

/** Larger delays would fire at once. */
const maxDelayMs = 2 ** 31 - 1;

/**
 * Runs a command of the user in a shell, as an agent is run: in a process group of its own, with a time limit, and until nothing of it is
 * alive. A process that it leaves in the background is ended. Never rejects.
 */
export async function runShellStep(step: ShellStep): Promise<ShellResult> {
  const { command, cwd, runId, timeoutMs, logPath, onOutput, env, signal } = step;
  const startedAt = monotonicTime();
  const log = createBoundedLog(logPath);
  const print = (piece: Buffer): void => {
    log.push(piece);
    onOutput?.(piece);
  };
  const obstacle = obstacleTo(step);
  if (obstacle !== undefined) {
    print(Buffer.from(`${obstacle}\n`));
    return { isSuccess: false, exitCode: null, durationMs: 0, tail: log.end() };
  }
  const child = startProcess({
    runId,
    program: "/bin/sh",
    args: ["-c", command],
    cwd,
    env: createEnvironment(withoutGit(process.env), { runId, cwd, task: env }),
    onStdout: print,
    onStderr: print,
    onEnd() {},
  });
  let isTimedOut = false;
  const timer = setTimeout(
    () => {
      // What it has left in the background is being ended already.
      if (child.hasExited) return;
      isTimedOut = true;
      child.stop();
    },
    Math.min(timeoutMs, maxDelayMs),
  );
  // Hundreds of commands may share a signal.
  if (signal !== undefined) setMaxListeners(0, signal);
  signal?.addEventListener("abort", child.stop, { once: true });
  const { exitCode, signal: endedBy, startFailure } = await child.ended;
  clearTimeout(timer);
  signal?.removeEventListener("abort", child.stop);
  if (startFailure !== undefined) print(Buffer.from(`${startFailure.message}\n`));
  const result: ShellResult = {
    isSuccess: exitCode === 0 && !isTimedOut && signal?.aborted !== true,
    exitCode,
    durationMs: Math.round(monotonicTime() - startedAt),
    tail: log.end(),
  };
  if (endedBy !== null) result.signal = endedBy;
  if (isTimedOut) result.isTimedOut = true;
  return result;
}

function obstacleTo({ cwd, signal }: ShellStep): string | undefined {
  if (signal?.aborted) return "not started: it was cancelled";
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  return `not started: the directory ${cwd} is gone`;
}
