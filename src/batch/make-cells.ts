import { createHash } from "node:crypto";
import { toJson } from "../text/to-json.js";
import type { Cell } from "./model/cell.js";
import type { BatchLine } from "./model/ledger-line.js";
import type { CheckedPlan, CheckedTask } from "./model/plan.js";
import type { Source } from "./model/source.js";

/**
 * The cells of a batch, from its ledger's first line alone, so that every reader of the ledger has the same. They are in the order
 * in which they are started: repetition by repetition, and the arms take turns. A batch that stops early then has about
 * as many cells of each arm.
 */
export function makeCells({ plan, sources, arms }: Pick<BatchLine, "plan" | "sources" | "arms">): Cell[] {
  const tasks = plan.tasks.map((task) => ({
    task,
    hash: hashOf([mattersOf(task, plan), contentOf(sources[task.id])]),
  }));
  const cells: Cell[] = [];
  for (let repetition = 1; repetition <= plan.repeats; repetition++)
    for (const { task, hash } of tasks)
      for (const arm of plan.arms) {
        // An arm that differs only in its name is another arm: people compare an arm with itself to see the noise.
        const matters = [hash, arm.id, arms[arm.id], repetition];
        cells.push({ id: `c${hashOf(matters).slice(0, 15)}`, task, arm, repetition });
      }
  return cells;
}

/** What of a task and its plan matters for the result. The name of the plan, its concurrency and its budget do not. */
function mattersOf({ workspace, ...task }: CheckedTask, { timeoutMs, idleTimeoutMs }: CheckedPlan): unknown {
  return { ...task, timeoutMs: task.timeoutMs ?? timeoutMs, idleTimeoutMs };
}

/** Without paths: the same commit of another clone is the same. */
function contentOf(source: Source | undefined): unknown {
  if (source?.kind === "git") return ["git", source.commit, source.directory];
  return source?.kind === "copy" ? ["copy", source.hash] : ["empty"];
}

/** SHA-256 in hex of a value, whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return createHash("sha256")
    .update(toJson(sorted(value)))
    .digest("hex");
}

/** Keys in order, and without those that are undefined, as JSON has it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  // Code units: the order must not depend on the language of the machine.
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
