import { removeInput } from "../inputs/file.mjs";
import { worstInputs } from "../inputs/worst.mjs";
import { bestOfEach, cli, program, runNode } from "../measure.mjs";

/** `harness translate` with inputs that are unlike ordinary work, compared with the yardstick. */
export async function worst({ megabytes }) {
  const rows = [];
  for (const { name, agent, build } of worstInputs) {
    const input = build(megabytes);
    const { yardstick, ndjson } = await bestOfEach({
      yardstick: () => runNode([program("yardstick.mjs"), input.file]),
      ndjson: () => runNode([cli, "translate", "--agent", agent, "--format", "ndjson", input.file]),
    });
    removeInput(input);
    rows.push({
      figure: `translate -f ndjson / yardstick, ${name}`,
      value: input.bytes / 1e3 / ndjson,
      baseline: input.bytes / 1e3 / yardstick,
      unit: "MB/s",
      ratio: yardstick / ndjson,
    });
  }
  return rows;
}
