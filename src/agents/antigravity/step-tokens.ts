import { addTokens, type ReportedTokens } from "../shared/tokens.js";
import { largerOf } from "./usage.js";

/** The tokens of all steps. A step can be reported twice, and then its larger numbers count. */
export interface StepTokens {
  report(index: number, tokens: ReportedTokens): void;
  /** Undefined if no step has reported any. */
  sum(): ReportedTokens | undefined;
}

/** At least so many steps are remembered one by one. A step that is reported again is one of the latest. */
const mostSteps = 1000;

export function createStepTokens(): StepTokens {
  let latest = new Map<number, ReportedTokens>();
  let older = new Map<number, ReportedTokens>();
  /** The sum of the steps before those. */
  let settled: ReportedTokens[] = [];

  return {
    report(index, tokens) {
      const known = latest.get(index) ?? older.get(index);
      older.delete(index);
      latest.set(index, largerOf(known, tokens) ?? tokens);
      if (latest.size < mostSteps) return;
      settled = sumOf([...settled, ...older.values()]);
      older = latest;
      latest = new Map();
    },
    sum: () => sumOf([...settled, ...older.values(), ...latest.values()])[0],
  };
}

/** The sum of the numbers as a list of one, or none. */
function sumOf(all: readonly ReportedTokens[]): ReportedTokens[] {
  return all.length === 0 ? [] : [all.reduce(addTokens)];
}
