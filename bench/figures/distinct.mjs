import { removeInput } from "../inputs/file.mjs";
import { shellCalls } from "../inputs/shell-calls.mjs";
import { bestOfEach, cli, runNode } from "../measure.mjs";
import { rounds } from "../settings.mjs";

const few = 22;
const many = 10_000;

/** Shell calls with many different commands, compared with few: what is remembered of a command must not decide the speed. */
export async function distinct({ megabytes, agents = ["claude", "codex", "goose"], times = rounds }) {
  const rows = [];
  for (const agent of agents) {
    const inputs = { few: shellCalls(agent, megabytes, few), many: shellCalls(agent, megabytes, many) };
    const translation = ({ file }) => runNode([cli, "translate", "--agent", agent, "-f", "ndjson", file]);
    const measured = await bestOfEach(
      { few: () => translation(inputs.few), many: () => translation(inputs.many) },
      times,
    );
    Object.values(inputs).forEach(removeInput);
    rows.push({
      figure: `${many.toLocaleString("en")} different commands / ${few}, ${agent}`,
      value: measured.many,
      baseline: measured.few,
      unit: "ms",
      ratio: measured.many / measured.few,
      goal: { ratio: { most: 1.3 } },
    });
  }
  return rows;
}
