import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { inDirectory, program } from "./agent.js";
import { commandPath, environmentOf } from "./command.js";

/** The output that is sent through the command. */
export interface Load {
  name: string;
  kind: "stdout" | "stderr" | "long" | "line";
  megabytes: number;
  /** The limit of resident memory in MB, including Node itself. */
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

/** Runs the command with recording and printing, and reads its peak memory. */
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

/** The peak resident memory of a process so far. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
