import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isAlive, until } from "../process/alive.js";
import { inDirectory, program } from "./agent.js";
import { commandPath, environmentOf } from "./command.js";
import type { Attempt, Fault } from "./fault.js";

/** Processes outside the run, which must be reported and not stopped. */
export const bystanders: readonly Fault[] = [
  {
    name: "a service that ran before the run is given the agent's output",
    times: 4,
    attempt: meetService,
    ...missing("python3"),
  },
  {
    name: "the agent leaves an ssh-agent, which hides its origin, without control groups",
    times: 4,
    attempt: leaveKeys,
    ...missing("ssh-agent"),
  },
];

function missing(name: string): Partial<Fault> {
  const { status } = spawnSync("sh", ["-c", `command -v ${name}`]);
  return status === 0 ? {} : { times: 0, skipped: `there is no ${name}` };
}

function meetService(): Promise<Attempt> {
  return inDirectory(async (directory) => {
    const socket = join(directory, "socket");
    const service = spawn("python3", [program("service.py"), "serve", socket], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      await once(service.stdout, "data");
      const stdout = await runAs(undefined, directory, ["service", socket]);
      return attempt([
        ...(isAlive(service.pid ?? 0) ? [] : ["the service was ended"]),
        ...(warns(stdout, "output_held", `(process ${service.pid})`) ? [] : ["the service was not named"]),
      ]);
    } finally {
      service.kill("SIGKILL");
    }
  });
}

const nobody = 65534;

/** In a directory that every user can access, unlike the usual one of these tests. */
async function leaveKeys(): Promise<Attempt> {
  const directory = mkdtempSync("/tmp/harness-fault-");
  chmodSync(directory, 0o777);
  try {
    const socket = join(directory, "keys");
    const isRoot = process.geteuid?.() === 0;
    const stdout = await runAs(isRoot ? nobody : undefined, directory, ["keys", socket]);
    const { stdout: found } = spawnSync("pgrep", ["-f", socket], { encoding: "utf8" });
    const [pid] = found.split("\n").filter((line) => line !== "");
    if (pid === undefined) return attempt(["ssh-agent was ended without a report, or never started"]);
    process.kill(Number(pid), "SIGKILL");
    await until(() => !isAlive(Number(pid)), 20_000);
    const isNamed = warns(stdout, "untraceable", `ssh-agent (process ${pid})`);
    return attempt(isNamed ? [] : ["ssh-agent was not named"]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs the command as this user or another one, who may not be able to read this project. */
async function runAs(uid: number | undefined, directory: string, args: readonly string[]): Promise<string> {
  const place = join(directory, "command");
  cpSync(join(dirname(commandPath()), "../.."), place, {
    recursive: true,
    filter: (from) => !from.includes("compiled"),
  });
  chmodSync(place, 0o755);
  cpSync(program("."), join(directory, "programs"), { recursive: true });
  const agent = ["--agent", "generic", "--binary", join(directory, "programs/introduces-itself")];
  const command = [join(place, "dist/cli/main.cjs"), "run", ...agent, "--prompt", "x", "--format", "full"];
  const child = spawn(process.execPath, [...command, "--", ...args], {
    cwd: directory,
    env: { ...process.env, ...environmentOf(directory) },
    stdio: ["ignore", "pipe", "inherit"],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  await once(child, "close");
  return stdout;
}

function warns(stdout: string, code: string, words: string): boolean {
  const warnings = stdout.split("\n").filter((line) => line.startsWith('{"type":"warning"'));
  return warnings.some((line) => line.includes(`"code":"${code}"`) && line.includes(words));
}

function attempt(problems: string[]): Attempt {
  return { problems, eventsLost: 0, processesLeft: 0 };
}
