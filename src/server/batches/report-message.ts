import type { BatchState } from "../../batch/model/batch-state.js";
import { createReport } from "../../batch/report/report.js";
import type { ReportMessage } from "../batch-protocol.js";

/** While a batch runs, its figures are made again at most this often. */
const restMs = 1000;
/** Making them takes at most this share of the time: the bootstrap of a large batch is slow. */
const share = 1 / 20;

/** Makes the figures of one batch for one reader, and not more often than is good for the server. */
export interface ReportMaker {
  /** The cells have changed. */
  change(): void;
  /** The figures, if they have changed and enough time has passed. */
  next(state: BatchState): ReportMessage | undefined;
}

export function createReportMaker(): ReportMaker {
  let hasChanged = true;
  let restUntil = 0;
  return {
    change() {
      hasChanged = true;
    },
    next(state) {
      const start = performance.now();
      if (!hasChanged || start < restUntil) return undefined;
      hasChanged = false;
      try {
        const { cells, groups, tasks, ...message } = createReport(state);
        return message;
      } catch {
        // A ledger that somebody else wrote may have results without figures. The grid is shown all the same.
        return undefined;
      } finally {
        const end = performance.now();
        restUntil = end + Math.max(restMs, (end - start) / share);
      }
    },
  };
}
