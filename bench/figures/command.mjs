import { spawnSync } from "node:child_process";
import { capturedAgents, fromCaptures, shareOf } from "../inputs/captures.mjs";
import { bestOfEach, cli, program, runCommand, runNode } from "../measure.mjs";

/** Four times `jq`, where `jq` does 30 MB/s and parsing 167: what the goal is on a machine where the two are closer. */
const fourTimesJq = (4 * 30) / 167;

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
    const translate = (format) => runNode([cli, "translate", "--agent", agent, "--format", format, file]);
    const times = await bestOfEach({
      parse: () => runNode([program("parse.mjs"), file]),
      ...(hasJq && { jq: () => runCommand("jq", ["-c", ".", file]) }),
      ...Object.fromEntries(formats.map((format) => [format, () => translate(format)])),
    });
    for (const [name, milliseconds] of Object.entries(times))
      costs[name] += ((milliseconds * 1e6) / bytes) * (shareOf(agent) / whole);
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
    row("harness translate (ndjson) / split + JSON.parse", "ndjson", "parse", fourTimesJq),
    ...formats.slice(1).map((format) => row(`harness translate: ${format} / full`, format, "full", 1 / 1.3)),
  ];
}
