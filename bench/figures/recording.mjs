import { rmSync } from "node:fs";
import { join } from "node:path";
import { directory, removeInput } from "../inputs/file.mjs";
import { longRun } from "../inputs/long-run.mjs";
import { bestOfEach, cli, program, runNode } from "../measure.mjs";
import { rounds } from "../settings.mjs";

/** `harness run` with an agent that prints as fast as it is read, with and without recording. */
export async function recording({ megabytes, agents = ["claude", "codex", "opencode"], times = rounds }) {
  const rows = [];
  for (const agent of agents) {
    const input = longRun(agent, megabytes);
    const data = join(directory, "recording");
    const env = { BENCH_INPUT: input.file, XDG_DATA_HOME: data };
    const flags = ["run", "--agent", agent, "--prompt", "print", "--binary", program("print-file")];
    const run = (...more) => runNode([cli, ...flags, "--format", "ndjson", ...more], { env });
    const { off, on } = await bestOfEach({ off: () => run("--no-log"), on: () => run() }, times);
    removeInput(input);
    rmSync(data, { recursive: true, force: true });
    rows.push({
      figure: `harness run, recorded / not recorded, ${agent}`,
      value: input.bytes / 1e3 / on,
      baseline: input.bytes / 1e3 / off,
      unit: "MB/s",
      ratio: off / on,
      goal: { ratio: { least: 0.88 } },
    });
  }
  return rows;
}
