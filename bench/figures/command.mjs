import { spawnSync } from "node:child_process";
import { capturedAgents, fromCaptures, shareOf } from "../inputs/captures.mjs";
import { bestOfEach, cli, program, runCommand, runNode } from "../measure.mjs";

/** The goal is four times `jq` where `jq` reaches 30 MB/s and parsing 167 MB/s. It adapts if the two are closer. */
const fourTimesJq = (4 * 30) / 167;

const formats = ["full", "ndjson", "events", "run-events"];

/**
 * The whole command including its start, compared with `jq -c .` and with a program that splits and parses. "All agents"
 * weights each agent by its share of the captured bytes.
 */
export async function command({ megabytes, agents = capturedAgents }) {
  const hasJq = spawnSync("jq", ["--version"]).status === 0;
  const whole = agents.reduce((sum, agent) => sum + shareOf(agent), 0);
  /** Milliseconds per MB of the mixture. */
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
