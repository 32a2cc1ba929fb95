import type { BatchState } from "../../batch/model/batch-state.js";
import { createFigures, groupBy, toReportCell } from "../../batch/report/figures.js";
import { createReport } from "../../batch/report/report.js";
import type { ReportMessage } from "../batch-protocol.js";
import type { FollowedBatch } from "./followed-batch.js";

/** While a batch runs, its figures are made again at most this often. */
const restMs = 1000;
/** Making them takes at most this share of the time. */
const share = 1 / 20;
/** The differences of a larger batch take so long that the server would not answer meanwhile. They are worked out once. */
const fewCells = 2000;

/** The figures of a batch, with a number that differs whenever they do. */
export interface NumberedReport {
  number: number;
  message: ReportMessage;
}

interface Made extends NumberedReport {
  version: number;
  isWhole: boolean;
  restUntil: number;
}

const made = new WeakMap<FollowedBatch, Made>();

/** The newest figures of a batch. They are made again if the batch has changed and enough time has passed, for all readers at once. */
export function reportOf(batch: FollowedBatch): NumberedReport | undefined {
  const { state, version } = batch;
  const before = made.get(batch);
  if (state === undefined) return before;
  const isWhole = state.cells.size <= fewCells || !batch.isRunning || state.ended !== undefined;
  const start = performance.now();
  const isCurrent = before?.version === version && before.isWhole === isWhole;
  if (isCurrent || start < (before?.restUntil ?? 0)) return before;
  const message = makeMessage(state, isWhole) ?? before?.message ?? noFigures;
  const end = performance.now();
  const restUntil = end + Math.max(restMs, (end - start) / share);
  made.set(batch, { number: (before?.number ?? 0) + 1, message, version, isWhole, restUntil });
  return made.get(batch);
}

const noFigures: ReportMessage = { arms: [], comparisons: [], confounds: [], notes: [] };

/** Undefined for a ledger that somebody else wrote: its results may have no figures. The grid is shown all the same. */
function makeMessage(state: BatchState, isWhole: boolean): ReportMessage | undefined {
  try {
    if (!isWhole) return { ...noFigures, arms: armsOf(state), notes: [later] };
    const { arms, comparisons, confounds, notes } = createReport(state);
    return { arms, comparisons, confounds, notes };
  } catch {
    return undefined;
  }
}

const later = "Differences between the arms of a large batch are worked out when it has ended.";

function armsOf({ head: { plan }, cells }: BatchState): ReportMessage["arms"] {
  const byArm = groupBy(Array.from(cells.values(), toReportCell), ({ armId }) => armId);
  return plan.arms.map(({ id, agent, model }) => ({
    armId: id,
    agent: String(agent),
    ...(model !== undefined && { model }),
    figures: createFigures(byArm.get(id) ?? []),
  }));
}
