import type { BatchState } from "../model/batch-state.js";
import { compareArms, pairsOf } from "./compare-arms.js";
import { type Evidence, findConfounds } from "./confounds.js";
import { createFigures, groupBy, toReportCell } from "./figures.js";
import type { BatchReport } from "./schema.js";

/** What came out of a batch so far. The same state always gives the same report: the bootstrap has a seed. */
export function createReport(state: BatchState, options: { now?: string | undefined } = {}): BatchReport {
  const { batchId, harness, plan, at: startedAt } = state.head;
  const cells = Array.from(state.cells.values(), toReportCell);
  const byArm = groupBy(cells, ({ armId }) => armId);
  const byTask = groupBy(cells, ({ taskId }) => taskId);
  const byGroup = groupBy(cells, ({ taskId, armId }) => `${taskId}\n${armId}`);
  const arms = plan.arms.flatMap(({ id: armId, agent, model }) => {
    const own = byArm.get(armId);
    return own === undefined
      ? []
      : [{ armId, agent: String(agent), ...(model !== undefined && { model }), figures: createFigures(own) }];
  });
  const tasks = plan.tasks.flatMap(({ id: taskId, check }) => {
    const own = byTask.get(taskId);
    return own === undefined ? [] : [{ taskId, hasCheck: check !== undefined, figures: createFigures(own) }];
  });
  const groups = tasks.flatMap(({ taskId }) =>
    arms.flatMap(({ armId }) => {
      const own = byGroup.get(`${taskId}\n${armId}`);
      return own === undefined ? [] : [{ taskId, armId, figures: createFigures(own) }];
    }),
  );
  const evidence: Evidence = {
    status: state.ended?.reason ?? "unfinished",
    isIsolated: plan.isolated,
    spentUsd: state.costUsd,
    total: createFigures(cells),
    arms,
    cells,
  };
  const comparisons = compareArms(
    cells,
    arms.map(({ armId }) => armId),
    batchId,
  );
  return {
    batchId,
    name: plan.name,
    harness,
    startedAt,
    ...(state.ended !== undefined && { endedAt: state.ended.at }),
    ...(options.now !== undefined && { reportedAt: options.now }),
    repeats: plan.repeats,
    ...(plan.budgetUsd !== undefined && { budgetUsd: plan.budgetUsd }),
    ...evidence,
    tasks,
    groups,
    comparisons,
    confounds: findConfounds(evidence),
    notes: notesFor(evidence, comparisons.length),
    stoppedAgents: Array.from(state.stoppedAgents, ([agent, failure]) => ({ agent, failure })),
  };
}

/** How the figures are to be read. */
function notesFor({ arms, total }: Evidence, comparisons: number): string[] {
  if (total.passRate === undefined) return [];
  const pairs = pairsOf(arms.length);
  return [
    "Intervals of pass rates are Wilson's, with 95 % confidence. They say how much these tasks vary when they are repeated, and nothing about other tasks.",
    ...(comparisons > 0
      ? [
          "Differences give every task the same weight. Their intervals come from a bootstrap of the repetitions within each task, and are never narrower than Newcombe's.",
        ]
      : []),
    ...(comparisons > 1
      ? [
          `With ${arms.length} arms there are ${pairs} pairs, and the more pairs one looks at, the more of them differ by chance. So the intervals of the differences are wider: all ${pairs} hold at once with 95 % confidence.`,
        ]
      : []),
  ];
}
