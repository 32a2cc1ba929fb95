import { type ChildProcess, spawn } from "node:child_process";
import { joinCensus } from "./census-linux.js";
import { encloseInCgroup } from "./cgroup-linux.js";
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
  /** Path of the program. */
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Written to standard input, which is then closed. Left out: standard input is empty. */
  stdin?: string | undefined;
  /** What asks the agent to end. Default SIGTERM. */
  stopSignal?: "SIGINT" | "SIGTERM" | undefined;
  /** How long after that comes SIGKILL. Default 2 s. */
  killAfterMs?: number | undefined;
}

/** How the process ended, when nothing of it is left. */
export interface ProcessEnd extends Reaped {
  exitCode: number | null;
  signal: string | null;
  startFailure?: StartFailure;
  /** Ran before the agent and hold its output open; they are left alone. */
  holders: FoundProcess[];
  /** May be of the run; they cannot be looked into and are left alone. */
  untraceable: FoundProcess[];
}

/** Of a process that never was. */
export const nothingLeft: Pick<ProcessEnd, "leftBehind" | "survivors" | "holders" | "untraceable"> = {
  leftBehind: [],
  survivors: [],
  holders: [],
  untraceable: [],
};

export interface AgentProcess {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** It has ended; what it left behind may not. */
  readonly hasExited: boolean;
  /** What is not read makes the agent wait when the pipe is full. */
  setPaused(paused: Paused): void;
  /** SIGTERM to the agent, then to what it leaves; SIGKILL to all that is left after the delay. */
  stop(): void;
  /** SIGKILL to everything of the run. */
  kill(): void;
  /** Resolves once and never rejects: the process has ended, its output is read, nothing of it is alive. */
  readonly ended: Promise<ProcessEnd>;
}

const defaultKillAfterMs = 2000;
const noHolders: OutputHolders = { ours: [], others: [] };

/**
 * Starts an agent: no shell, a process group of its own, standard input empty or given and closed.
 * Never throws; what goes wrong is in `ended`.
 */
export function startProcess(options: StartOptions): AgentProcess {
  const watched = watchRun(options.runId);
  const child = spawnChild(options);
  if (child instanceof Error || child.pid === undefined) {
    const ended = failureOf(child, options.program).finally(() => watched.over());
    return { pid: undefined, hasExited: true, setPaused() {}, stop() {}, kill() {}, ended };
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
  // After the start, an 'error' is a signal that could not be sent; the reaper sees that for itself.
  child.on("error", () => {});
  giveInput(child, options.stdin);
  const exit = exitOf(child);
  // One that the system holds, even after SIGKILL, must not hold us.
  const heldBySystem = reaper.gaveUp.then(() => {
    child.unref();
    return { exitCode: null, signal: null };
  });

  async function end(): Promise<ProcessEnd> {
    const how = await Promise.race([exit, heldBySystem]);
    const [reaped, isHeldOpen] = await Promise.all([reaper.finish(), output.drain()]);
    const holders = isHeldOpen
      ? await findOutputHolders(outputNames, startedAt).catch(() => noHolders)
      : noHolders;
    const late = await reaper.finishAlso(holders.ours);
    // Also with a control group: what was started before the agent was put into it is outside.
    const untraceable = await findUntraceable(startedAt).catch(() => []);
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
    stop,
    kill,
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
  const error = child instanceof Error ? child : await new Promise((resolve) => child.once("error", resolve));
  const startFailure = describeSpawnError(error, program);
  return { exitCode: null, signal: null, startFailure, ...nothingLeft };
}

/** An agent that exits, or closes its input, before it has read all of it is no reason to fail. */
function giveInput(child: ChildProcess, text: string | undefined): void {
  child.stdin?.on("error", () => {});
  if (text !== undefined) child.stdin?.end(text);
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}
