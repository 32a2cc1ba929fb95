import { join } from "node:path";
import { directory } from "../inputs/file.mjs";
import { measureIn } from "../measure.mjs";

/** 100 runs in one process, each with an agent that prints 1,000 lines a second. */
export async function crowd({ isShort }) {
  const seconds = isShort ? "3" : "10";
  const measure = (recorded) =>
    measureIn("crowd.mjs", ["100", "1000", seconds, join(directory, `crowd-${recorded}`), recorded]).late;
  const [off, on] = [measure("no"), measure("yes")];
  const row = (figure, value) => ({ figure: `100 runs at 1,000 lines/s, ${figure}`, value, unit: "ms" });
  return [
    row("p50", off[50]),
    { ...row("p99", off[99]), goal: { value: { most: 50 } } },
    row("recorded, p50", on[50]),
    row("recorded, p99", on[99]),
  ];
}
