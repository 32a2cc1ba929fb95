import { type ChildProcess, spawn } from "node:child_process";
import type { FoundProcess } from "./processes.js";
import { watchdogScript } from "./watchdog-script.js";

/** What the watchdog needs to know about the agent of a run. */
export interface WatchedAgent {
  /** The agent is the leader of this process group. */
  group: number;
  /** Asks it to end. */
  stopSignal: "SIGINT" | "SIGTERM" | "SIGKILL";
  /** Its start time in the system's own format. Empty if unknown. */
  started: string;
  /** The kernel's names for its ends of our pipes. */
  output: readonly string[];
  /** The directory of its control group, if it has one. */
  cgroup: string | undefined;
}

/** Keeps the watchdog informed about one run. */
export interface Watched {
  /** The agent is running. `outside`: other known processes of the run. To be called again when they change. */
  began(agent: WatchedAgent, outside: readonly FoundProcess[]): void;
  /** No process of the run is alive any more. */
  over(): void;
}

let watchdog: ChildProcess | undefined;
/** The latest line about each run, for a watchdog that has to be restarted. */
const watched = new Map<string, string>();
/** How many watchdogs in a row have ended by themselves, as happens with a broken shell. */
let failures = 0;
const maxFailures = 5;
/** A short delay, so that somebody who keeps killing the watchdog does not keep us busy. */
const restartAfterMs = 20;

/**
 * Makes sure that a run does not outlive us, even if we are killed with SIGKILL. One watchdog process serves all runs of
 * this process. It is a POSIX shell (1 MB and 1 ms; a Node process would take 40 MB and 40 ms) that blocks in `read` on a
 * pipe whose other end only we hold. Its script is a constant: no prompt and no name of an agent ever becomes part of it.
 * It has a session of its own, so that Ctrl-C, a closed terminal or the end of an outer run do not end it too early.
 *
 * To be called before the agent is started: if we die in between, the watchdog still finds the agent by its mark.
 */
export function watchRun(runId: string): Watched {
  function report(line: string): void {
    watched.set(runId, line);
    writeLine(line);
  }

  report(`+ ${runId}\n`);
  return {
    began({ group, stopSignal, started, output, cgroup }, outside) {
      const known = outside.map((one) => `${one.pid}:${one.started}`);
      const agent = [group, stopSignal.slice("SIG".length), Number(started), listOf(output.map(toWord))];
      report(`+ ${runId} ${agent.join(" ")} ${listOf(known)} ${toFolder(cgroup)}\n`);
    },
    over() {
      watched.delete(runId);
      writeLine(`- ${runId}\n`);
    },
  };
}

function listOf(words: readonly string[]): string {
  return words.length === 0 ? "-" : words.join(",");
}

/** `socket:[4711]` without the brackets, which a shell would interpret as a pattern. */
function toWord(output: string): string {
  return output.replace(/[[\]]/g, "");
}

/** The path if a shell reads it as one plain word, else `-`. */
function toFolder(path: string | undefined): string {
  return path !== undefined && /^[\w@:./-]+$/.test(path) ? path : "-";
}

function writeLine(line: string): void {
  if (process.platform === "win32") return;
  if (watchdog === undefined && watched.size > 0) startWatchdog();
  else watchdog?.stdin?.write(line);
}

/** Starts a watchdog and informs it about all runs. Without `/bin/sh` there is no watchdog. */
function startWatchdog(): void {
  const path = `/usr/bin:/bin:/usr/sbin:/sbin:${process.env["PATH"] ?? ""}`;
  const child = spawn("/bin/sh", ["-c", watchdogScript, "harness-watchdog"], {
    cwd: "/",
    // Not our environment: with the mark of an outer run, the watchdog would be stopped as a part of that run.
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
  // The watchdog never keeps our process alive.
  child.unref();
  const stdin: unknown = child.stdin;
  if (hasUnref(stdin)) stdin.unref();
}

/** A watchdog that was killed is restarted, however often. One that keeps ending by itself does not work here. */
function startAgain(): void {
  if (watchdog === undefined && watched.size > 0 && failures < maxFailures) startWatchdog();
}

function hasUnref(value: unknown): value is { unref(): void } {
  return typeof value === "object" && value !== null && "unref" in value && typeof value.unref === "function";
}
