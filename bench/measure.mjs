import { spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

/** The compiled command. */
export const cli = fileURLToPath(new URL("../dist/cli/main.cjs", import.meta.url));

/** A program of this folder. */
export function program(name) {
  return fileURLToPath(new URL(`./programs/${name}`, import.meta.url));
}

/**
 * The fastest of several rounds of each work, in milliseconds, by name: noise only ever makes a round slower. The works take
 * turns, so that what slows the machine for a while slows all of them.
 */
export async function bestOfEach(works, times = rounds) {
  const fastest = Object.fromEntries(Object.keys(works).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < times; round++) {
    for (const [name, work] of Object.entries(works)) {
      const start = performance.now();
      await work();
      fastest[name] = Math.min(fastest[name], performance.now() - start);
    }
  }
  return fastest;
}

/** Runs a command to its end, its output thrown away. */
export function runCommand(command, args, { env, output = "/dev/null" } = {}) {
  const stdout = openSync(output, "w");
  const { status, stderr, error } = spawnSync(command, args, {
    stdio: ["ignore", stdout, "pipe"],
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error ?? stderr}`);
}

export function runNode(args, options) {
  runCommand(process.execPath, args, options);
}

/** What a program of this folder measured in a process of its own, which it prints as JSON. */
export function measureIn(name, args, nodeArgs = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, program(name), ...args], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** The value below which so many percent of the sorted values lie. */
export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}
