import { join } from "node:path";
import { directory } from "../inputs/file.mjs";
import { measureIn, percentile } from "../measure.mjs";
import { rounds } from "../settings.mjs";

const pauseMs = "10";
const goals = { 50: 0.2, 99: 1 };

/**
 * From the agent's write to the consumer's event, recorded, compared with a bare pipe that is split and parsed. The best of several
 * rounds, which take turns.
 */
export async function latency({ isShort }) {
  const lines = isShort ? "150" : "1000";
  const listen = (way) => measureIn("listen.mjs", [way, lines, pauseMs, join(directory, "latency")]);
  const tries = Array.from({ length: rounds }, () => ({ bare: listen("bare"), ours: listen("harness") }));
  const best = (way, percent) => Math.min(...tries.map((one) => percentile(one[way], percent)));
  return Object.entries(goals).map(([percent, most]) => ({
    figure: `latency, line → event, recorded, p${percent}`,
    value: best("ours", percent),
    baseline: best("bare", percent),
    unit: "ms",
    goal: { more: { most } },
  }));
}
