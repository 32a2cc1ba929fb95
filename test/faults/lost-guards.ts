import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, until } from "../process/alive.js";
import { createToken, inDirectory, program, toArguments } from "./agent.js";
import { commandPath, type StartedCommand, startCommand } from "./command.js";
import type { Attempt, Fault } from "./fault.js";
import { genericRun } from "./generic-run.js";
import { waitForSurvivors } from "./survivors.js";

/** Two in parallel: each try needs two commands, or waits for a second or two. */
const atOnce = 4;

export const lostGuards: readonly Fault[] = [
  {
    name: "harness inside harness: the outer one is killed with SIGKILL",
    times: 4,
    atOnce,
    attempt: () => stopNested("SIGKILL"),
  },
  {
    name: "harness inside harness: the outer one gets SIGTERM",
    times: 4,
    atOnce,
    attempt: () => stopNested("SIGTERM"),
  },
  {
    name: "the watchdog is killed ten times in a row, then harness itself",
    times: 4,
    atOnce,
    attempt: killWatchdog,
  },
  { name: "harness exits, and its watchdog with it", times: 4, atOnce, attempt: endWithWatchdog },
];

const behaviour = { helpers: "deaf", manner: "deaf", lines: 3 } as const;

/** The inner agent's helpers are outside its group, and carry the marks of both runs. */
function stopNested(signal: NodeJS.Signals): Promise<Attempt> {
  const token = createToken();
  return inDirectory(async (directory) => {
    const options = ["--agent", "generic", "--binary", program("nested"), "--prompt", "x", "--no-log"];
    const command = startCommand({
      args: ["run", ...options, "--format", "raw", "--", ...toArguments(behaviour, token)],
      directory,
      env: { NODE: process.execPath, COMMAND: commandPath(), AGENT: program("agent") },
      onLine: (_line, count) => void (count === behaviour.lines && command.child.kill(signal)),
    });
    return examine(command, token, signal === "SIGTERM" ? 143 : null);
  });
}

/** Harness restarts its watchdog, however often it is killed. */
function killWatchdog(): Promise<Attempt> {
  const token = createToken();
  return inDirectory(async (directory) => {
    const command = startCommand({
      args: genericRun(behaviour, token, ["--format", "raw"]),
      directory,
    });
    let latest: number | undefined;
    for (let time = 0; time < 10; time++) {
      latest = await watchdogOf(command, latest);
      process.kill(latest, "SIGKILL");
    }
    await watchdogOf(command, latest);
    command.child.kill("SIGKILL");
    return examine(command, token, null);
  });
}

function endWithWatchdog(): Promise<Attempt> {
  const token = createToken();
  return inDirectory(async (directory) => {
    let watchdog: Promise<number> | undefined;
    const command = startCommand({
      args: genericRun({ ...behaviour, manner: "stay" }, token, ["--format", "raw"]),
      directory,
      onLine(_line, count) {
        if (count < behaviour.lines) return;
        watchdog = watchdogOf(command, undefined).finally(() => command.child.kill("SIGINT"));
      },
    });
    const attempt = await examine(command, token, 130);
    const pid = (await watchdog) ?? 0;
    await until(() => !isAlive(pid), 20_000);
    return attempt;
  });
}

async function examine({ ended }: StartedCommand, token: string, expected: number | null): Promise<Attempt> {
  const { exitCode, lines } = await ended;
  const { left, afterMs } = await waitForSurvivors({ token });
  return {
    problems: exitCode === expected ? [] : [`exit code ${exitCode}, not ${expected}`],
    eventsLost: Math.max(0, behaviour.lines - lines.length),
    processesLeft: left,
    reapedMs: afterMs,
  };
}

/** Waits for a new watchdog of a command. */
async function watchdogOf({ child }: StartedCommand, before: number | undefined): Promise<number> {
  for (let look = 0; look < 300; look++) {
    const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" });
    for (const line of stdout.split("\n")) {
      const [pid, parent, state = "Z"] = line.trim().split(/\s+/);
      const isWatchdog =
        line.endsWith("harness-watchdog") && Number(parent) === child.pid && !state.startsWith("Z");
      if (isWatchdog && Number(pid) !== before) return Number(pid);
    }
    await sleep(100);
  }
  throw new Error("there is no watchdog");
}
