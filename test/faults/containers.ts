import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createToken, inDirectory, program, toArguments } from "./agent.js";
import { commandPath, environmentOf } from "./command.js";
import type { Attempt, Fault } from "./fault.js";
import { waitForSurvivors } from "./survivors.js";

/** Container-like environments, made with `unshare`. */
export const containers: readonly Fault[] = [
  { name: "harness is the first process of a container", times: 4, attempt: beFirst, ...needs("-pf") },
  { name: "/proc is missing", times: 4, attempt: () => goWithoutProc(), ...needs("-m") },
];

function needs(flag: string): Partial<Fault> {
  const isAllowed = spawnSync("unshare", [flag, "true"]).status === 0;
  return isAllowed ? {} : { times: 0, skipped: "unshare is not allowed here" };
}

/** Orphans must not stay zombies, and SIGTERM to the first process must stop the run. */
async function beFirst(index: number): Promise<Attempt> {
  const isStopped = index % 2 === 1;
  const agent = isStopped ? "sleep 300" : "sleep 1; ps -A -o stat=";
  const script = `for n in 1 2 3; do (sleep 0.1 &); done; echo up; ${agent}`;
  const { exitCode, stdout } = await inPlace("-pf", script, isStopped ? "SIGTERM" : undefined);
  const zombies = stdout.split("\n").filter((line) => /^Z/.test(line)).length;
  const expected = isStopped ? 143 : 0;
  return {
    problems: [
      ...(zombies === 0 ? [] : [`${zombies} zombies`]),
      ...(exitCode === expected ? [] : [`exit code ${exitCode}, not ${expected}: ${stdout}`]),
    ],
    eventsLost: stdout.includes("up") ? 0 : 1,
    processesLeft: 0,
  };
}

async function inPlace(flag: string, script: string, signal: NodeJS.Signals | undefined) {
  return inDirectory(async (directory) => {
    const run = ["run", "--agent", "generic", "--binary", "/bin/sh", "--prompt", "x", "--format", "raw"];
    const command = [process.execPath, commandPath(), ...run, "--", "-c", script];
    const child = spawn("unshare", [flag, "--mount-proc", ...command], {
      cwd: directory,
      env: { ...process.env, ...environmentOf(directory) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let stdout = "";
    let hasSignalled = false;
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      if (signal === undefined || hasSignalled || !stdout.includes("up")) return;
      hasSignalled = true;
      spawnSync("pkill", [`-${signal.slice("SIG".length)}`, "-P", String(child.pid)]);
    });
    const [exitCode] = await once(child, "close");
    return { exitCode, stdout };
  });
}

/** Processes outside the agent's group cannot be found then. A warning says so, and the group is ended. */
function goWithoutProc(): Promise<Attempt> {
  const token = createToken();
  return inDirectory(async (directory) => {
    const agent = ["--agent", "generic", "--binary", program("agent"), "--prompt", "x"];
    const own = toArguments({ helpers: "none", manner: "deaf", lines: 1 }, token);
    const run = [...agent, "--timeout", "2", "--format", "full", "--", ...own];
    const script = 'umount -l /proc && exec "$@"';
    const command = [process.execPath, commandPath(), "run", ...run];
    const child = spawn("unshare", ["-m", "sh", "-c", script, "sh", ...command], {
      cwd: directory,
      env: { ...process.env, ...environmentOf(directory) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    const [exitCode] = await once(child, "close");
    const { left } = await waitForSurvivors({ token });
    return {
      problems: [
        ...(exitCode === 124 ? [] : [`exit code ${exitCode}, not 124`]),
        ...(stdout.includes('"code":"unsupervised"') ? [] : ["there was no warning"]),
      ],
      eventsLost: 0,
      processesLeft: left,
    };
  });
}
