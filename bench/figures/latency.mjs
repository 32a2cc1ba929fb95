import { join } from "node:path";
import { directory } from "../inputs/file.mjs";
import { measureIn, percentile } from "../measure.mjs";

/** From the agent's write to the consumer's event, with recording, compared with a bare pipe that is split and parsed. */
export async function latency({ isShort }) {
  const lines = isShort ? "300" : "1500";
  const listen = (way) => measureIn("listen.mjs", [way, lines, "10", join(directory, "latency")]);
  const bare = listen("bare");
  const ours = listen("harness");
  return [
    { percent: 50, most: 0.2 },
    { percent: 99, most: 1 },
  ].map(({ percent, most }) => ({
    figure: `latency, line → event, p${percent}`,
    value: percentile(ours, percent),
    baseline: percentile(bare, percent),
    unit: "ms",
    goal: { more: { most } },
  }));
}
