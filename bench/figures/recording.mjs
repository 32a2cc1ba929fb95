import { join } from "node:path";
import { fromOrdinaryLines } from "../inputs/captures.mjs";
import { directory } from "../inputs/file.mjs";
import { bestOfEach, cli, program, runNode } from "../measure.mjs";

/** `harness run` with an agent that prints as fast as it is read, with and without recording. */
export async function recording({ megabytes }) {
  const agent = "claude";
  const input = fromOrdinaryLines(agent, megabytes / 2);
  const env = { BENCH_INPUT: input.file, XDG_DATA_HOME: join(directory, "recording") };
  const flags = ["run", "--agent", agent, "--prompt", "print", "--binary", program("print-file")];
  const run = (...more) => runNode([cli, ...flags, "--format", "ndjson", ...more], { env });
  const { off, on } = await bestOfEach({ off: () => run("--no-log"), on: () => run() });
  return [
    {
      figure: "harness run, recorded / not recorded",
      value: Math.round(input.bytes / 1e3 / on),
      baseline: Math.round(input.bytes / 1e3 / off),
      unit: "MB/s",
      ratio: off / on,
      goal: { ratio: { least: 0.88 } },
    },
  ];
}
