import { spawnSync } from "node:child_process";
import { capturedAgents, fromCaptures } from "../inputs/captures.mjs";
import { best, cli, program, rounds, runCommand, runNode } from "../measure.mjs";

const formats = ["full", "ndjson", "events", "run-events"];

/** The whole command, start included, against `jq -c .` and against a program that splits and parses. */
export async function command({ megabytes, agents = capturedAgents }) {
  const total = { bytes: 0, jq: 0, parse: 0, full: 0, ndjson: 0, events: 0, "run-events": 0 };
  const hasJq = spawnSync("jq", ["--version"]).status === 0;
  for (const agent of agents) {
    const input = fromCaptures(agent, megabytes / Math.min(agents.length, 4));
    total.bytes += input.bytes;
    total.parse += await best(() => runNode([program("parse.mjs"), input.file]));
    if (hasJq) total.jq += await best(() => runCommand("jq", ["-c", ".", input.file]), 1);
    for (const format of formats)
      total[format] += await best(
        () => runNode([cli, "translate", "--agent", agent, "--format", format, input.file]),
        rounds,
      );
  }
  const speed = (time) => Math.round(total.bytes / 1e3 / time);
  const against = (name, base, goal) => ({
    figure: name,
    value: speed(total.ndjson),
    baseline: speed(base),
    unit: "MB/s",
    ratio: base / total.ndjson,
    goal,
  });
  return [
    ...(hasJq ? [against("harness translate (ndjson) / jq -c .", total.jq, { ratio: { least: 4 } })] : []),
    against("harness translate (ndjson) / split + JSON.parse", total.parse, { ratio: { least: 0.6 } }),
    ...formats.slice(1).map((format) => ({
      figure: `harness translate: ${format} / full`,
      value: speed(total[format]),
      baseline: speed(total.full),
      unit: "MB/s",
      ratio: total.full / total[format],
      goal: { ratio: { least: 1 / 1.3 } },
    })),
  ];
}
