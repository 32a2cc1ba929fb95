import { type ChildProcess, spawn } from "node:child_process";
import { joinCensus } from "./census-linux.js";
import { encloseInCgroup } from "./cgroup-linux.js";
import { mayHideMarks } from "./marks-linux.js";
import { type OutputListeners, type Paused, readOutput } from "./output.js";
import { findOutputHolders, type OutputHolders, readOutputNames } from "./output-holders-linux.js";
import type { FoundProcess } from "./processes.js";
import { readProcess } from "./processes-linux.js";
import { createReaper, type Reaped } from "./reaper.js";
import { describeSpawnError, type StartFailure } from "./start-failure.js";
import { findUntraceable } from "./untraceable-linux.js";
import { watchRun } from "./watchdog.js";

export interface StartOptions extends OutputListeners {
  runId: string;
  /** The path of the program. */
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Written to standard input, which is then closed. Without it, standard input is empty. `open`: it stays open for `write`. */
  stdin?: string | typeof openInput | undefined;
  /** Asks the agent to end. Default SIGTERM. */
  stopSignal?: "SIGINT" | "SIGTERM" | "SIGKILL" | undefined;
  /** The time between that signal and SIGKILL. Default 2 s. */
  killAfterMs?: number | undefined;
}

/** Standard input stays open for `write`. */
export const openInput = Symbol("open input");

/** How the process ended. Nothing of it is alive any more, apart from `survivors`. */
export interface ProcessEnd extends Reaped {
  exitCode: number | null;
  signal: string | null;
  startFailure?: StartFailure;
  /** Started before the agent and keep its output open. They are not stopped. */
  holders: FoundProcess[];
  /** May belong to the run, but cannot be inspected. They are not stopped. */
  untraceable: FoundProcess[];
}

/** For a process that was never started. */
export const nothingLeft: Pick<ProcessEnd, "leftBehind" | "survivors" | "holders" | "untraceable"> = {
  leftBehind: [],
  survivors: [],
  holders: [],
  untraceable: [],
};

export interface AgentProcess {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  /** The agent's process has ended. Processes that it left behind may still be running. */
  readonly hasExited: boolean;
  /** Back-pressure: the agent waits when a pipe that is not read is full. */
  setPaused(paused: Paused): void;
  /** Writes to a standard input that was left open. What the agent no longer reads is dropped. */
  write(text: string): void;
  /** Closes standard input. */
  endInput(): void;
  /** Sends the stop signal to the agent, SIGTERM to what it leaves behind, and SIGKILL to what is left after the delay. */
  stop(): void;
  /** Sends SIGKILL to every process of the run. */
  kill(): void;
  /** Resolves when the process has ended, its output is read, and nothing of it is alive. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
}

const defaultKillAfterMs = 2000;
const noHolders: OutputHolders = { ours: [], others: [] };

/**
 * Starts an agent without a shell, in a process group of its own, with standard input empty or written and closed.
 * Never throws: errors are reported in `ended`.
 */
export function startProcess(options: StartOptions): AgentProcess {
  const watched = watchRun(options.runId);
  const child = spawnChild(options);
  if (child instanceof Error || child.pid === undefined) {
    const ended = failureOf(child, options.program).finally(() => watched.over());
    return { ...notThere, ended };
  }
  const { pid } = child;
  const outputNames = readOutputNames(pid);
  const startedAt = readProcess(pid)[0]?.started ?? "";
  const cgroup = encloseInCgroup(options.runId, pid);
  const { stopSignal = "SIGTERM" } = options;
  const agent = {
    group: pid,
    stopSignal,
    started: startedAt,
    output: outputNames,
    cgroup: cgroup?.directory,
  };
  watched.began(agent, []);
  const census = joinCensus(pid, (outside) => watched.began(agent, outside));
  const reaper = createReaper({
    pid,
    runId: options.runId,
    stopSignal,
    killAfterMs: options.killAfterMs ?? defaultKillAfterMs,
    seen: () => census.members,
    cgroup,
  });
  const output = readOutput(child, options);
  // After the start, 'error' means that a signal could not be sent. The reaper notices that by itself.
  child.on("error", () => {});
  writeInput(child, options.stdin);
  const exit = exitOf(child);
  // A process that the kernel holds even after SIGKILL must not keep us from ending.
  const heldByKernel = reaper.gaveUp.then(() => {
    child.unref();
    return { exitCode: null, signal: null };
  });

  async function end(): Promise<ProcessEnd> {
    const how = await Promise.race([exit, heldByKernel]);
    const [reaped, isHeldOpen] = await Promise.all([reaper.finish(), output.drain()]);
    const holders = isHeldOpen
      ? await findOutputHolders(outputNames, startedAt).catch(() => noHolders)
      : noHolders;
    const late = await reaper.finishAlso(holders.ours);
    // Needed even with a control group: what the agent started before it was moved there is outside.
    // The reaper's last scan of /proc has just found nothing. If it could read everything, there is nothing to look for.
    const mayBeLeft = isHeldOpen || mayHideMarks();
    const untraceable = mayBeLeft ? await findUntraceable(startedAt).catch(() => []) : [];
    census.leave();
    output.close();
    cgroup?.remove();
    watched.over();
    return {
      ...how,
      leftBehind: [...reaped.leftBehind, ...late.leftBehind],
      survivors: [...reaped.survivors, ...late.survivors],
      holders: holders.others,
      untraceable,
    };
  }

  const { setPaused } = output;
  const { stop, kill } = reaper;
  return {
    pid,
    get hasExited() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    setPaused,
    ...inputOf(child),
    stop,
    kill,
    ended: end(),
  };
}

/** A process that could not be started. */
const notThere: Omit<AgentProcess, "ended"> = {
  pid: undefined,
  hasExited: true,
  setPaused() {},
  write() {},
  endInput() {},
  stop() {},
  kill() {},
};

/** A standard input that was left open. */
function inputOf({ stdin }: ChildProcess): Pick<AgentProcess, "write" | "endInput"> {
  return {
    write(text) {
      if (stdin?.writable) stdin.write(text);
    },
    endInput: () => void stdin?.end(),
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
  const error = child instanceof Error ? child : await new Promise((resolve) => child.once("error", resolve));
  const startFailure = describeSpawnError(error, program);
  return { exitCode: null, signal: null, startFailure, ...nothingLeft };
}

/** The agent may exit or close its input before it has read everything. That is not an error. */
function writeInput(child: ChildProcess, text: StartOptions["stdin"]): void {
  child.stdin?.on("error", () => {});
  if (typeof text === "string") child.stdin?.end(text);
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}
