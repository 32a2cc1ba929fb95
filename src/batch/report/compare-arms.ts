import { formatCount, formatNumberOf } from "../../text/numbers.js";
import { type BootstrapOptions, compareAmounts, compareRates, toStrata } from "./bootstrap.js";
import { groupBy } from "./figures.js";
import type { Comparison, ReportCell } from "./schema.js";
import { mean, toSeed, usualConfidence } from "./statistics.js";

/** The arm that passes most often against each of the others, in the tasks that both have results of. */
export function compareArms(
  cells: readonly ReportCell[],
  armIds: readonly string[],
  batchId: string,
): Comparison[] {
  const counted = cells.filter(({ status, verdict }) => status === "done" && verdict !== "error");
  const byArm = groupBy(counted, ({ armId }) => armId);
  const arms = armIds.map((armId) => ({
    armId,
    tasks: groupBy(byArm.get(armId) ?? [], ({ taskId }) => taskId),
  }));
  const withResults = arms.filter(({ tasks }) => tasks.size > 0);
  const best = bestOf(withResults);
  if (best === undefined) return [];
  const confidence = confidenceFor(armIds.length);
  return withResults
    .filter((arm) => arm !== best)
    .map((other) =>
      compare(best, other, { confidence, seed: toSeed(`${batchId} ${best.armId} ${other.armId}`) }),
    );
}

interface ArmCells {
  armId: string;
  /** By the task's id. */
  tasks: ReadonlyMap<string, readonly ReportCell[]>;
}

export function pairsOf(arms: number): number {
  return (arms * (arms - 1)) / 2;
}

/**
 * Bonferroni: all pairs hold at once with the usual confidence. All of them count, not only those that are shown, because the best arm is
 * chosen by the same results.
 */
function confidenceFor(arms: number): number {
  return 1 - (1 - usualConfidence) / Math.max(1, pairsOf(arms));
}

/** The highest pass rate, every task with the same weight. Of equal ones the cheaper, then the first. */
function bestOf(arms: readonly ArmCells[]): ArmCells | undefined {
  const ranked = arms.map((arm) => {
    const tasks = [...arm.tasks.values()];
    const costs = tasks.flat().flatMap(({ costUsd }) => costUsd ?? []);
    return {
      arm,
      rate: mean(tasks.map((group) => mean(group.map(toPassed)))),
      cost: costs.length === 0 ? Number.POSITIVE_INFINITY : mean(costs),
    };
  });
  ranked.sort((a, b) => b.rate - a.rate || (a.cost === b.cost ? 0 : a.cost - b.cost));
  return ranked[0]?.arm;
}

function toPassed({ verdict }: ReportCell): number {
  return verdict === "passed" ? 1 : 0;
}

function compare(
  best: ArmCells,
  other: ArmCells,
  options: BootstrapOptions & { confidence: number },
): Comparison {
  const taskIds = [...best.tasks.keys()].filter((taskId) => other.tasks.has(taskId));
  const groupsOf = (arm: ArmCells): (readonly ReportCell[])[] =>
    taskIds.map((taskId) => arm.tasks.get(taskId) ?? []);
  const strataOf = (readValue: (cell: ReportCell) => number | undefined) => {
    const values = (group: readonly ReportCell[] = []) => group.flatMap((cell) => readValue(cell) ?? []);
    const others = groupsOf(other);
    return toStrata(groupsOf(best).map((group, at) => ({ one: values(group), other: values(others[at]) })));
  };
  const names = { armId: best.armId, otherId: other.armId };
  const common = { ...names, tasks: taskIds.length, confidence: options.confidence };
  if (taskIds.length === 0) {
    const sentence = `${best.armId} and ${other.armId} cannot be compared: no task has results of both.`;
    return { ...common, sentences: [sentence] };
  }
  const passRate = compareRates(strataOf(toPassed), options);
  const basis = describeBasis(taskIds.length, [...groupsOf(best), ...groupsOf(other)]);
  const costUsd = amountsOf(
    strataOf((cell) => cell.costUsd),
    options,
  );
  const durationMs = amountsOf(
    strataOf((cell) => cell.durationMs),
    options,
  );
  return {
    ...common,
    passRate,
    ...(costUsd !== undefined && { costUsd }),
    ...(durationMs !== undefined && { durationMs }),
    sentences: [
      describeRates(names, passRate, basis),
      ...(costUsd === undefined ? [] : [describeAmounts(names, costUsd, amountWords.cost)]),
      ...(durationMs === undefined ? [] : [describeAmounts(names, durationMs, amountWords.time)]),
    ],
  };
}

function amountsOf(strata: ReturnType<typeof toStrata>, options: BootstrapOptions): Comparison["costUsd"] {
  const compared = strata.length === 0 ? undefined : compareAmounts(strata, options);
  return compared && { ratio: compared.ratio, ...compared.interval };
}

type Names = Pick<Comparison, "armId" | "otherId">;

/** `5 repetitions of 2 tasks`; `1 to 5 repetitions` if some are missing. */
function describeBasis(tasks: number, groups: readonly (readonly ReportCell[])[]): string {
  const counts = groups.map(({ length }) => length);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const repetitions =
    fewest === most
      ? formatNumberOf(most, "repetition")
      : `${formatCount(fewest)} to ${formatNumberOf(most, "repetition")}`;
  return `${repetitions} of ${formatNumberOf(tasks, "task")}`;
}

function describeRates(
  { armId, otherId }: Names,
  rates: NonNullable<Comparison["passRate"]>,
  basis: string,
): string {
  const interval = `interval ${toPoints(rates.low)} to ${toPoints(rates.high)}`;
  const points = toPoints(Math.abs(rates.difference));
  const how = rates.difference < 0 ? "less" : "more";
  // Zero on the edge of an interval is inside of it.
  if (rates.low > 0 || rates.high < 0)
    return `${armId} passes ${points} points ${how} often than ${otherId} (${interval}), with ${basis}.`;
  const seen =
    points === "0" ? "both passed about equally often" : `${armId} passed ${points} points ${how} often`;
  return `No difference in pass rates can be seen between ${armId} and ${otherId} with ${basis}: ${seen}, ${interval}.`;
}

/** Percentage points. */
function toPoints(difference: number): string {
  return String(Math.round(difference * 100))
    .replace(/^-0$/, "0")
    .replace("-", "−");
}

interface AmountWords {
  noun: string;
  same: string;
  /** Between the names of two arms, with how many times as much. */
  compare(one: string, times: string, other: string): string;
}

const amountWords: Record<"cost" | "time", AmountWords> = {
  cost: {
    noun: "cost",
    same: "cost about the same",
    compare: (one, times, other) => `${one} costs ${times} times as much as ${other}`,
  },
  time: {
    noun: "duration",
    same: "take about as long",
    compare: (one, times, other) => `${one} takes ${times} times as long as ${other}`,
  },
};

/** A smaller difference is not worth a claim, however certain it is. */
const aboutTheSame = 1.05;

/** Always from the larger amount to the smaller one: "1.8 times as much" is easier to read than "0.56 times". */
function describeAmounts(
  names: Names,
  given: NonNullable<Comparison["costUsd"]>,
  words: AmountWords,
): string {
  const isLess = given.ratio < 1;
  const [one, other] = isLess ? [names.otherId, names.armId] : [names.armId, names.otherId];
  const { ratio, low, high } = isLess ? inverse(given) : given;
  const digits = ratio < 2 ? 2 : ratio < 10 ? 1 : 0;
  const sentence = words.compare(one, ratio.toFixed(digits), other);
  if (low === undefined || high === undefined)
    return `${sentence} in these runs, which are too few for an interval.`;
  const interval = `interval ${low.toFixed(digits)} to ${high.toFixed(digits)}`;
  if (ratio < aboutTheSame && low > 1 / aboutTheSame && high < aboutTheSame)
    return `${one} and ${other} ${words.same} (ratio ${ratio.toFixed(digits)}, ${interval}).`;
  if (low > 1 || high < 1) return `${sentence} (${interval}).`;
  return `No difference in ${words.noun} can be seen between ${one} and ${other} (ratio ${ratio.toFixed(digits)}, ${interval}).`;
}

function inverse({ ratio, low, high }: NonNullable<Comparison["costUsd"]>): {
  ratio: number;
  low?: number | undefined;
  high?: number | undefined;
} {
  return { ratio: 1 / ratio, low: high && 1 / high, high: low && 1 / low };
}
