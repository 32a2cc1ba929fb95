import { join } from "node:path";
import { directory } from "../inputs/file.mjs";
import { measureIn, rounds } from "../measure.mjs";

/** 100 runs in one process, each with an agent that prints 1,000 lines a second. The best of several rounds. */
export async function crowd({ isShort }) {
  const seconds = isShort ? "3" : "6";
  let round = 0;
  const late = (recorded) => {
    const place = join(directory, `crowd-${round++}`);
    return measureIn("crowd.mjs", ["100", "1000", seconds, place, recorded]).late;
  };
  const best = (all) =>
    Object.fromEntries([50, 99].map((percent) => [percent, Math.min(...all.map((one) => one[percent]))]));
  const tries = Array.from({ length: rounds }, () => ({ off: late("no"), on: late("yes") }));
  const [off, on] = [best(tries.map((one) => one.off)), best(tries.map((one) => one.on))];
  const row = (figure, value) => ({ figure: `100 runs at 1,000 lines/s, ${figure}`, value, unit: "ms" });
  return [
    row("p50", off[50]),
    { ...row("p99", off[99]), goal: { value: { most: 50 } } },
    row("recorded, p50", on[50]),
    { ...row("recorded, p99", on[99]), goal: { value: { most: 50 } } },
  ];
}
