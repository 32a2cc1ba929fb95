import { spawnSync } from "node:child_process";
import { capturedAgents, fromCaptures, shareOf } from "../inputs/captures.mjs";
import { best, cli, program, rounds, runCommand, runNode } from "../measure.mjs";

const formats = ["full", "ndjson", "events", "run-events"];

/**
 * The whole command, start included, against `jq -c .` and against a program that splits and parses. All agents: each
 * with the share of the bytes that it has among the captures.
 */
export async function command({ megabytes, agents = capturedAgents }) {
  const hasJq = spawnSync("jq", ["--version"]).status === 0;
  const whole = agents.reduce((sum, agent) => sum + shareOf(agent), 0);
  /** Milliseconds for a MB of the mixture. */
  const costs = { parse: 0, jq: 0, full: 0, ndjson: 0, events: 0, "run-events": 0 };
  for (const agent of agents) {
    const { file, bytes } = fromCaptures(agent, megabytes / 4);
    const add = (name, milliseconds) => {
      costs[name] += ((milliseconds * 1e6) / bytes) * (shareOf(agent) / whole);
    };
    add("parse", await best(() => runNode([program("parse.mjs"), file])));
    if (hasJq) add("jq", await best(() => runCommand("jq", ["-c", ".", file]), 1));
    for (const format of formats) {
      const flags = ["--agent", agent, "--format", format];
      add(format, await best(() => runNode([cli, "translate", ...flags, file]), rounds));
    }
  }
  const row = (figure, name, base, least) => ({
    figure,
    value: Math.round(1000 / costs[name]),
    baseline: Math.round(1000 / costs[base]),
    unit: "MB/s",
    ratio: costs[base] / costs[name],
    goal: { ratio: { least } },
  });
  return [
    ...(hasJq ? [row("harness translate (ndjson) / jq -c .", "ndjson", "jq", 4)] : []),
    row("harness translate (ndjson) / split + JSON.parse", "ndjson", "parse", 0.6),
    ...formats.slice(1).map((format) => row(`harness translate: ${format} / full`, format, "full", 1 / 1.3)),
  ];
}
