import type { BatchState } from "../../batch/model/batch-state.js";
import { countMissing } from "../batches.js";
import { exitCodes } from "../exit-codes.js";
import { passRateOf, standingsOf } from "./figures.js";

/**
 * The exit code of a batch that was not cancelled. A failed check is a result: the batch did its work. It is not done while
 * cells have no verdict, or one that says nothing about the agent.
 */
export function exitCodeOfBatch(state: BatchState, failUnder: number | undefined): number {
  if (countMissing(state) > 0) return exitCodes.runFailed;
  return failUnder === undefined || armsUnder(state, failUnder).length === 0
    ? exitCodes.success
    : exitCodes.runFailed;
}

/** The arms that pass less than this share of their cells. One without any verdict passes nothing. */
export function armsUnder(state: BatchState, rate: number): string[] {
  return [...standingsOf(state).arms].flatMap(([arm, standing]) =>
    (passRateOf(standing) ?? 0) < rate ? [arm] : [],
  );
}
