import { createHash } from "node:crypto";
import type { Cell } from "./model/cell.js";
import type { CheckedPlan } from "./model/plan.js";
import type { Source } from "./model/source.js";

export function makeCells({
  plan,
  sources,
}: {
  plan: CheckedPlan;
  sources: Readonly<Record<string, Source>>;
}): Cell[] {
  const cells: Cell[] = [];
  for (const task of plan.tasks)
    for (const arm of plan.arms)
      for (let repetition = 1; repetition <= plan.repeats; repetition += 1) {
        const hash = createHash("sha256").update(JSON.stringify([task, arm, repetition, sources[task.id]]));
        cells.push({ id: `c${hash.digest("hex").slice(0, 15)}`, task, arm, repetition });
      }
  return cells;
}
