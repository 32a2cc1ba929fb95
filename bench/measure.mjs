import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rounds } from "./settings.mjs";

/** The compiled command. */
export const cli = fileURLToPath(new URL("../dist/cli/main.cjs", import.meta.url));

/** A program in `programs/`. */
export function program(name) {
  return fileURLToPath(new URL(`./programs/${name}`, import.meta.url));
}

/**
 * The fastest of several rounds of each work, in milliseconds, by name. Noise can only make a round slower. The works
 * alternate, so that a slow phase of the machine affects all of them.
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

/** Where commands run: outside of a repository, in which a run would also ask git what has changed. */
const emptyDirectory = mkdtempSync(join(tmpdir(), "harness-bench-cwd-"));
process.once("exit", () => rmSync(emptyDirectory, { recursive: true, force: true }));

/** Runs a command to its end and discards its output. */
export function runCommand(command, args, { env, output = "/dev/null", cwd = emptyDirectory } = {}) {
  const stdout = openSync(output, "w");
  const { status, stderr, error } = spawnSync(command, args, {
    stdio: ["ignore", stdout, "pipe"],
    cwd,
    env: { ...process.env, ...env },
  });
  closeSync(stdout);
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error ?? stderr}`);
}

export function runNode(args, options) {
  runCommand(process.execPath, args, options);
}

/** Runs a program of `programs/` in its own process, and parses the JSON that it prints. */
export function measureIn(name, args, nodeArgs = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, program(name), ...args], {
    encoding: "utf8",
    cwd: emptyDirectory,
  });
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** The given percentile of sorted values. */
export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}
