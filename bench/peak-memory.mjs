import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const lookEveryMs = 20;

/** Runs a Node program to its end, without its output. Returns the most memory that it had at once (`VmHWM`), in MB. */
export async function peakMemory(args, env = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...env },
  });
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, residentAtMost(child.pid));
  }, lookEveryMs);
  const exitCode = await new Promise((resolve) => child.once("exit", resolve));
  clearInterval(looking);
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}`);
  return most;
}

/** A process that has ended has no memory any more. */
function residentAtMost(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
