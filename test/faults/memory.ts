import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { inDirectory, program } from "./agent.js";
import { commandPath, environmentOf } from "./command.js";

/** What is sent through the command. */
export interface Load {
  name: string;
  kind: "stdout" | "stderr" | "long" | "line";
  megabytes: number;
  /** What it may take at most: MB of resident memory, all of Node included. */
  mostMegabytes: number;
  isReadSlowly?: true;
}

const streamMegabytes = Number(process.env["HARNESS_FAULT_STREAM_MB"] ?? 64);

export const loads: readonly Load[] = [
  { name: "lines of 1 KB on stdout", kind: "stdout", megabytes: streamMegabytes, mostMegabytes: 250 },
  { name: "lines of 1 KB on stderr", kind: "stderr", megabytes: streamMegabytes, mostMegabytes: 250 },
  {
    name: "lines of 4 MB, read slowly",
    kind: "long",
    megabytes: streamMegabytes,
    mostMegabytes: 450,
    isReadSlowly: true,
  },
  { name: "a single line", kind: "line", megabytes: 60, mostMegabytes: 800 },
];

export interface Measured extends Load {
  peakMegabytes: number;
  exitCode: number | null;
  printedMegabytes: number;
}

/** Runs the command, recorded and printed, and reads how much memory it had at most. */
export function measureMemory(load: Load): Promise<Measured> {
  return inDirectory(async (directory) => {
    const options = ["--binary", program("flood.mjs"), "--prompt", "x", "--format", "full"];
    const args = ["run", "--agent", "generic", ...options, "--", load.kind, String(load.megabytes)];
    const child = spawn(process.execPath, [commandPath(), ...args], {
      cwd: directory,
      env: { ...process.env, ...environmentOf(directory) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = once(child, "exit");
    let printed = 0;
    let peakMegabytes = 0;
    for await (const chunk of child.stdout) {
      printed += chunk.length;
      if (load.isReadSlowly) await sleep(1);
      peakMegabytes = Math.max(peakMegabytes, peakOf(child.pid));
    }
    const [exitCode] = await exit;
    return { ...load, peakMegabytes, exitCode, printedMegabytes: Math.floor(printed / 1024 / 1024) };
  });
}

/** The most that a process has had so far, as the system counts it. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
