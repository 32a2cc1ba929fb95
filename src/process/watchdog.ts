import { type ChildProcess, spawn } from "node:child_process";
import type { FoundProcess } from "./processes.js";
import { watchdogScript } from "./watchdog-script.js";

/** The agent of a run, as the watchdog has to know it. */
export interface WatchedAgent {
  /** The agent is the leader of this process group. */
  group: number;
  /** What asks it to end. */
  stopSignal: "SIGINT" | "SIGTERM";
  /** When it was started, in the system's own terms; empty where that cannot be told. */
  started: string;
  /** What the system calls its ends of our pipes. */
  output: readonly string[];
  /** The folder of its control group, where it has one. */
  cgroup: string | undefined;
}

/** Tells the watchdog of one run. */
export interface Watched {
  /** The agent is running. `outside`: who else is known to be of the run. Call it again when that changes. */
  began(agent: WatchedAgent, outside: readonly FoundProcess[]): void;
  /** Nothing of the run is alive any more. */
  over(): void;
}

let watchdog: ChildProcess | undefined;
/** What the watchdog was told of each run, for one that must be started anew. */
const watched = new Map<string, string>();
/** How many in a row have ended by themselves, as a shell that does not work here does. */
let failures = 0;
const mostFailures = 5;
/** A moment before another is started, so that whoever keeps killing it does not keep us busy. */
const restartAfterMs = 20;

/**
 * Sees to it that a run does not outlive us, even when we are killed with SIGKILL and can do nothing any
 * more. One helper serves all runs of this process: a POSIX shell (1 MB and 1 ms, where a Node process
 * would take 40 MB and 40 ms) that sleeps in `read` on a pipe of which only we hold the other end. Its
 * script is a constant, and no agent, prompt or path ever gets near it. It has a session of its own, so
 * that Ctrl-C, a closed terminal and the end of an outer run do not end it before its work is done.
 *
 * Call it before the agent is started: should we die in between, the marker still leads to the agent.
 */
export function watchRun(runId: string): Watched {
  function note(line: string): void {
    watched.set(runId, line);
    tell(line);
  }

  note(`+ ${runId}\n`);
  return {
    began({ group, stopSignal, started, output, cgroup }, outside) {
      const known = outside.map((one) => `${one.pid}:${one.started}`);
      const agent = [group, stopSignal.slice("SIG".length), Number(started), listOf(output.map(toWord))];
      note(`+ ${runId} ${agent.join(" ")} ${listOf(known)} ${toFolder(cgroup)}\n`);
    },
    over() {
      watched.delete(runId);
      tell(`- ${runId}\n`);
    },
  };
}

function listOf(words: readonly string[]): string {
  return words.length === 0 ? "-" : words.join(",");
}

/** `socket:[4711]` without the brackets, which a shell would take for a pattern. */
function toWord(output: string): string {
  return output.replace(/[[\]]/g, "");
}

/** A path that a shell takes for one word, or none. */
function toFolder(path: string | undefined): string {
  return path !== undefined && /^[\w@:./-]+$/.test(path) ? path : "-";
}

function tell(line: string): void {
  if (process.platform === "win32") return;
  if (watchdog === undefined && watched.size > 0) startWatchdog();
  else watchdog?.stdin?.write(line);
}

/** Starts one and tells it all it has to know. A machine without `/bin/sh` goes without a watchdog. */
function startWatchdog(): void {
  const path = `/usr/bin:/bin:/usr/sbin:/sbin:${process.env["PATH"] ?? ""}`;
  const child = spawn("/bin/sh", ["-c", watchdogScript, "harness-watchdog"], {
    cwd: "/",
    // Nothing of ours: with the marker of an outer run it would be taken for part of that run.
    env: { PATH: path },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchdog = child;
  child.on("error", () => {
    if (watchdog === child) watchdog = undefined;
  });
  child.stdin?.on("error", () => {});
  child.once("exit", (_code, signal) => {
    watchdog = undefined;
    failures = signal === null ? failures + 1 : 0;
    setTimeout(startAgain, restartAfterMs).unref();
  });
  for (const line of watched.values()) child.stdin?.write(line);
  // It never keeps our process alive.
  child.unref();
  const stdin: unknown = child.stdin;
  if (hasUnref(stdin)) stdin.unref();
}

/** While we live it has no reason to end by itself. One that was killed comes back, however often. */
function startAgain(): void {
  if (watchdog === undefined && watched.size > 0 && failures < mostFailures) startWatchdog();
}

function hasUnref(value: unknown): value is { unref(): void } {
  return typeof value === "object" && value !== null && "unref" in value && typeof value.unref === "function";
}
