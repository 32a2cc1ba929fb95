import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { createReaper, type Reaped } from "./reaper.js";
import { describeSpawnError, type StartFailure } from "./start-failure.js";
import { watchRun } from "./watchdog.js";

export interface StartOptions {
  runId: string;
  /** Path of the program. */
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Written to standard input, which is then closed. Left out: standard input is empty. */
  stdin?: string | undefined;
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
  /** How long after SIGTERM comes SIGKILL. Default 2 s. */
  killAfterMs?: number;
}

/** How the process ended, when nothing of it is left. */
export interface ProcessEnd extends Reaped {
  exitCode: number | null;
  signal: string | null;
  startFailure?: StartFailure;
}

export interface AgentProcess {
  readonly pid: number | undefined;
  /** Stops reading standard output, so that the agent blocks when the pipe is full. */
  pause(): void;
  resume(): void;
  /** SIGTERM to everything of the run, SIGKILL after the delay. */
  stop(): void;
  /** SIGKILL to everything of the run. */
  kill(): void;
  /** Resolves once, never rejects: the process has ended, its output is read, nothing of it is alive. */
  readonly ended: Promise<ProcessEnd>;
}

/**
 * Starts an agent: no shell, its own process group, standard input empty or given and closed. It can
 * not fail to return; what goes wrong is in `ended`.
 */
export function startProcess(options: StartOptions): AgentProcess {
  const watched = watchRun(options.runId);
  const child = spawnChild(options);
  const pid = child instanceof Error ? undefined : child.pid;
  if (child instanceof Error || pid === undefined) {
    const ended = failureOf(child, options.program).finally(() => watched.over());
    return { pid: undefined, pause() {}, resume() {}, stop() {}, kill() {}, ended };
  }
  watched.began(pid);
  const reaper = createReaper({ pid, runId: options.runId, killAfterMs: options.killAfterMs ?? 2000 });
  const output = readOutput(child, options);
  // A later 'error' is a signal that could not be sent, which the reaper sees for itself.
  child.on("error", () => {});
  giveInput(child, options.stdin);

  async function end(): Promise<ProcessEnd> {
    const exit = await exitOf(child as ChildProcess);
    const [reaped] = await Promise.all([reaper.finish(), output.drain()]);
    output.close();
    watched.over();
    return { ...exit, ...reaped };
  }

  return {
    pid,
    pause: output.pause,
    resume: output.resume,
    stop: reaper.stop,
    kill: reaper.kill,
    ended: end(),
  };
}

function spawnChild(options: StartOptions): ChildProcess | Error {
  try {
    return spawn(options.program, options.args, {
      cwd: options.cwd,
      env: options.env,
      stdio: [options.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
      shell: false,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function failureOf(child: ChildProcess | Error, program: string): Promise<ProcessEnd> {
  const error = child instanceof Error ? child : await new Promise<Error>((resolve) => child.once("error", resolve));
  return { exitCode: null, signal: null, startFailure: describeSpawnError(error, program), leftBehind: [], survivors: [] };
}

/** An agent that exits or closes its input before it has read it is no reason to fail. */
function giveInput(child: ChildProcess, text: string | undefined): void {
  child.stdin?.on("error", () => {});
  if (text !== undefined) child.stdin?.end(text);
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

interface Output {
  pause(): void;
  resume(): void;
  /** After the exit: resolves when all is read, although others may hold the pipe open. */
  drain(): Promise<void>;
  close(): void;
}

const quietMs = 250;
const longestDrainMs = 5000;
/** More than a pipe holds: what comes after this many bytes was not written by the agent. */
const longestDrainBytes = 16 * 1024 * 1024;

function readOutput(child: ChildProcess, { onStdout, onStderr }: StartOptions): Output {
  const streams = [child.stdout, child.stderr].filter((stream): stream is Readable => stream !== null);
  let bytes = 0;
  let isOver = false;
  const closed = Promise.all(streams.map((stream) => new Promise((resolve) => stream.once("close", resolve))));

  function listen(stream: Readable | null, give: (chunk: Buffer) => void): void {
    stream?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (!isOver) give(chunk);
    });
    // The pipe breaking is the end of it; the exit tells the rest.
    stream?.on("error", () => {});
  }
  listen(child.stdout, onStdout);
  listen(child.stderr, onStderr);

  /** Resolves after a time without output, in which the pipes were looked at and not only the clock. */
  async function quiet(): Promise<void> {
    const startedAt = Date.now();
    const startedWith = bytes;
    for (let seen = -1; seen !== bytes; ) {
      seen = bytes;
      await new Promise((resolve) => setTimeout(resolve, quietMs));
      await new Promise((resolve) => setImmediate(resolve));
      if (Date.now() - startedAt > longestDrainMs || bytes - startedWith > longestDrainBytes) return;
    }
  }

  return {
    pause: () => child.stdout?.pause(),
    resume: () => child.stdout?.resume(),
    async drain() {
      child.stdout?.resume();
      await Promise.race([closed, quiet()]);
    },
    close() {
      isOver = true;
      for (const stream of streams) stream.destroy();
    },
  };
}
