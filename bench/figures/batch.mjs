import { join } from "node:path";
import { directory } from "../inputs/file.mjs";
import { measureIn } from "../measure.mjs";
import { rounds } from "../settings.mjs";

/**
 * A batch of many short cells, against a loop that only spawns the agent's program. The best of several rounds, which take turns.
 */
export async function batch({ isShort }) {
  const cells = Number(process.env.BENCH_CELLS ?? (isShort ? 100 : 1000));
  const tries = Array.from({ length: rounds }, (_none, round) => ({
    bare: measureIn("batch.mjs", ["bare", String(cells), ""]),
    batch: measureIn(
      "batch.mjs",
      ["batch", String(cells), join(directory, `batch-${round}`)],
      ["--expose-gc"],
    ),
  }));
  const fastest = (how) => Math.min(...tries.map((one) => one[how].ms)) / 1000;
  const [value, baseline] = [fastest("batch"), fastest("bare")];
  const { early, late } = tries.at(-1).batch;
  return [
    {
      figure: `a batch of ${cells} cells of 50 ms, 8 at once`,
      value,
      baseline,
      unit: "s",
      ratio: value / baseline,
      goal: { ratio: { most: 1.25 } },
    },
    {
      figure: `its heap after ${cells} cells, and after ${cells / 5}`,
      value: late,
      baseline: early,
      unit: "MB",
      goal: { more: { most: 5 } },
    },
    {
      figure: "memory, each batch cell that is done",
      value: ((late - early) * 1000) / (cells - cells / 5),
      unit: "KB",
    },
  ];
}
