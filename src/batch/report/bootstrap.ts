import {
  createRandom,
  type Interval,
  mean,
  quantile,
  sum,
  usualConfidence,
  wilsonInterval,
} from "./statistics.js";

/** What two arms did in the same tasks: usually one task. */
export interface Stratum {
  one: readonly number[];
  other: readonly number[];
  /** How many tasks it stands for. */
  tasks: number;
}

export interface BootstrapOptions {
  seed: number;
  confidence?: number | undefined;
  resamples?: number | undefined;
}

/**
 * Enough that at least ten samples are beyond each end of the interval, and not more than can be drawn in a moment: large batches have
 * narrow intervals anyway.
 */
function resamplesFor(strata: readonly Stratum[], confidence: number): number {
  const wanted = Math.max(2000, Math.ceil(20 / (1 - confidence)));
  const values = countOf(strata, "one") + countOf(strata, "other");
  return Math.min(wanted, Math.max(1000, Math.floor(4_000_000 / values)));
}

/** Tasks of which an arm has a single result, taken together: one value alone shows no variation. */
export function toStrata(tasks: readonly Omit<Stratum, "tasks">[]): Stratum[] {
  const shared = tasks.filter(({ one, other }) => one.length > 0 && other.length > 0);
  const repeated = shared.filter(({ one, other }) => one.length > 1 && other.length > 1);
  const single = shared.filter(({ one, other }) => one.length === 1 || other.length === 1);
  const strata = repeated.map((task) => ({ ...task, tasks: 1 }));
  if (single.length === 0) return strata;
  const together = {
    one: single.map(({ one }) => mean(one)),
    other: single.map(({ other }) => mean(other)),
    tasks: single.length,
  };
  return [...strata, together];
}

/**
 * The difference of two pass rates (values 1 and 0), every task with the same weight. Repetitions are resampled within their
 * task: the tasks are what they are, and only the repetitions are chance.
 *
 * A bootstrap of few repetitions that all agree sees no variation: 3 of 3 against 0 of 3 would be "100 points, certainly". In
 * simulations such an interval held the truth in 17 of 100 cases. So the interval is never narrower than the one that follows from
 * Wilson's intervals of the strata (Newcombe 1998): together they held it in 90 to 100 of 100, from 3 repetitions of 1 task to 10 of 20.
 * Fewer than 3 results of an arm say nothing.
 */
export function compareRates(
  strata: readonly Stratum[],
  options: BootstrapOptions,
): { difference: number } & Interval {
  const { confidence = usualConfidence } = options;
  const all = sum(strata.map(({ tasks }) => tasks));
  const weighted = strata.map((stratum) => ({ ...stratum, weight: stratum.tasks / all }));
  const difference = sum(weighted.map(({ one, other, weight }) => weight * (mean(one) - mean(other))));
  const resampled = intervalOf(
    resample(strata, options, (one, other) => one - other),
    confidence,
  );
  let below = 0;
  let above = 0;
  for (const { one, other, weight } of weighted) {
    const oneInterval = wilsonInterval(sum(one), one.length, confidence);
    const otherInterval = wilsonInterval(sum(other), other.length, confidence);
    below += weight ** 2 * ((mean(one) - oneInterval.low) ** 2 + (otherInterval.high - mean(other)) ** 2);
    above += weight ** 2 * ((oneInterval.high - mean(one)) ** 2 + (mean(other) - otherInterval.low) ** 2);
  }
  if (Math.min(countOf(strata, "one"), countOf(strata, "other")) < fewestResults)
    return { difference, low: -1, high: 1 };
  return {
    difference,
    low: Math.max(-1, Math.min(resampled.low, difference - Math.sqrt(below))),
    high: Math.min(1, Math.max(resampled.high, difference + Math.sqrt(above))),
  };
}

const fewestResults = 3;

function countOf(strata: readonly Stratum[], side: "one" | "other"): number {
  return sum(strata.map((stratum) => stratum[side].length));
}

/** With fewer values than this, besides the first of each stratum, intervals of means are too narrow. */
const fewestFreeValues = 8;

/**
 * How many times as much as another arm an arm takes, in means: what one run of every task costs, or how long it takes. Means and not
 * medians, because costs and times add up. There is no interval if there are too few values, and no ratio to nothing.
 */
export function compareAmounts(
  strata: readonly Stratum[],
  options: BootstrapOptions,
): { ratio: number; interval?: Interval } | undefined {
  const whole = (side: "one" | "other"): number =>
    sum(strata.map((stratum) => stratum.tasks * mean(stratum[side])));
  const ratio = whole("one") / whole("other");
  if (!Number.isFinite(ratio) || ratio <= 0) return undefined;
  const values = Math.min(countOf(strata, "one"), countOf(strata, "other"));
  if (values - strata.length < fewestFreeValues) return { ratio };
  const ratios = resample(strata, options, (one, other) => one / other).filter(Number.isFinite);
  return { ratio, interval: intervalOf(ratios, options.confidence ?? usualConfidence) };
}

/**
 * Draws new samples and compares the means over all tasks. Each sample has one value fewer than there are: with as many, the
 * variance is too small by (n - 1) / n, which matters for few repetitions (Rao and Wu 1988).
 */
function resample(
  strata: readonly Stratum[],
  { seed, confidence = usualConfidence, resamples = resamplesFor(strata, confidence) }: BootstrapOptions,
  compare: (one: number, other: number) => number,
): number[] {
  const random = createRandom(seed);
  const all = sum(strata.map(({ tasks }) => tasks));
  const compared: number[] = [];
  for (let round = 0; round < resamples; round += 1) {
    let one = 0;
    let other = 0;
    for (const stratum of strata) {
      one += stratum.tasks * drawMean(stratum.one, random);
      other += stratum.tasks * drawMean(stratum.other, random);
    }
    compared.push(compare(one / all, other / all));
  }
  return compared;
}

function drawMean(values: readonly number[], random: () => number): number {
  const draws = Math.max(1, values.length - 1);
  let total = 0;
  for (let draw = 0; draw < draws; draw += 1) total += values[Math.floor(random() * values.length)] ?? 0;
  return total / draws;
}

function intervalOf(values: number[], confidence: number): Interval {
  const sorted = values.sort((a, b) => a - b);
  const outside = (1 - confidence) / 2;
  return { low: quantile(sorted, outside), high: quantile(sorted, 1 - outside) };
}
