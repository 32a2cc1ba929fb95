import { join } from "node:path";
import { directory } from "../inputs/file.mjs";
import { measureIn, percentile } from "../measure.mjs";

/** Live sessions: a line on its way to its event, the end of an interrupted turn, and what idle sessions take. */
export async function live({ isShort }) {
  const lines = isShort ? "300" : "3000";
  const bare = measureIn("listen.mjs", ["bare", lines, "2", join(directory, "live")]);
  const ours = measureIn("talk.mjs", ["latency", lines, "2", join(directory, "live")]);
  const ends = measureIn("talk.mjs", ["interrupt", isShort ? "30" : "200", join(directory, "live")]);
  const { kilobytes, percentOfCore } = measureIn(
    "talk.mjs",
    ["idle", "50", join(directory, "live")],
    ["--expose-gc"],
  );
  return [
    {
      figure: "live session, line → event, p50",
      value: percentile(ours, 50),
      baseline: percentile(bare, 50),
      unit: "ms",
      goal: { more: { most: 0.2 } },
    },
    {
      figure: "live session, the agent ends an interrupted turn → `turn_end`, p99",
      value: percentile(ends, 99),
      unit: "ms",
      goal: { value: { most: 50 } },
    },
    {
      figure: "memory, each of 50 idle live sessions",
      value: kilobytes,
      unit: "KB",
      goal: { value: { most: 150 } },
    },
    {
      figure: "50 idle live sessions, of a core",
      value: percentOfCore,
      unit: "%",
      goal: { value: { most: 1 } },
    },
  ];
}
