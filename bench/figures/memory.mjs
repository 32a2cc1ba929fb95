import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fromCaptures } from "../inputs/captures.mjs";
import { directory } from "../inputs/file.mjs";
import { cli, measureIn, program } from "../measure.mjs";

const gigabytes = Number(process.env.BENCH_GB ?? 2);

/** The peak memory of `harness run` with recording, for many GB from an agent that prints as fast as it is read. */
export async function memory() {
  const sessions = join(directory, "memory");
  const input = fromCaptures("claude", 100);
  const agent = program("print-file");
  const flags = ["run", "--agent", "claude", "--prompt", "print", "--binary", agent, "--format", "ndjson"];
  const peak = async (args, share) => {
    const times = Math.round((gigabytes * share * 1e9) / input.bytes);
    const env = { BENCH_INPUT: input.file, BENCH_TIMES: String(times), XDG_DATA_HOME: sessions };
    const megabytes = await peakOf(args, env);
    rmSync(sessions, { recursive: true, force: true });
    return megabytes;
  };
  const alone = await peak([program("split.mjs"), agent], 0.5);
  const half = await peak([cli, ...flags], 0.5);
  const whole = await peak([cli, ...flags], 1);
  const { kilobytes } = measureIn("hold-runs.mjs", ["200", join(directory, "held")], ["--expose-gc"]);
  return [
    {
      figure: `memory, ${gigabytes} GB through harness run, recorded`,
      value: whole,
      baseline: alone,
      unit: "MB",
      goal: { value: { most: 120 } },
    },
    {
      figure: `memory, ${gigabytes} GB / ${gigabytes / 2} GB`,
      value: whole,
      baseline: half,
      unit: "MB",
      ratio: whole / half,
      goal: { ratio: { most: 1.1 } },
    },
    { figure: "memory, each of 200 runs in one process", value: Math.round(kilobytes), unit: "KB" },
  ];
}

/** Runs a Node program to its end. Returns its peak resident memory in MB. */
async function peakOf(args, env) {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...env },
  });
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, residentAtMost(child.pid));
  }, 50);
  const exitCode = await new Promise((resolve) => child.once("exit", resolve));
  clearInterval(looking);
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}`);
  return most;
}

function residentAtMost(pid) {
  try {
    return Math.round(
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) / 1024,
    );
  } catch {
    return 0;
  }
}
