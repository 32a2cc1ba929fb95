import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareAmounts, compareRates, type Stratum, toStrata } from "../../../src/batch/report/bootstrap.js";
import {
  createRandom,
  mean,
  normalQuantile,
  passAtLeastOnce,
  passEveryTime,
  quantile,
  wilsonInterval,
} from "../../../src/batch/report/statistics.js";

describe("Wilson's interval", () => {
  // Rscript -e 'prop.test(passed, of, correct = FALSE)$conf.int'
  it.each([
    [0, 3, 0, 0.561497031755],
    [1, 1, 0.206549314377, 1],
    [3, 3, 0.438502968245, 1],
    [1, 5, 0.0362241086324, 0.624465370237],
    [8, 10, 0.490162471537, 0.943317848546],
    [37, 80, 0.357479935628, 0.570956424087],
    [0, 1000, 0, 0.00382675848556],
    [499, 1000, 0.468073488751, 0.529934164766],
  ])("of %i of %i is that of R", (passed, of, low, high) => {
    expect(wilsonInterval(passed, of).low).toBeCloseTo(low, 6);
    expect(wilsonInterval(passed, of).high).toBeCloseTo(high, 6);
  });

  it("is wider with more confidence, as R says", () => {
    // Rscript -e 'prop.test(8, 10, correct = FALSE, conf.level = 1 - 0.05 / 6)$conf.int'
    const { low, high } = wilsonInterval(8, 10, 1 - 0.05 / 6);
    expect(low).toBeCloseTo(0.392593135052, 6);
    expect(high).toBeCloseTo(0.961172076276, 6);
  });

  it("has the rate inside, stays between 0 and 1, is symmetric, and narrows with more trials", () => {
    const trials = fc
      .integer({ min: 1, max: 500 })
      .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
    fc.assert(
      fc.property(trials, ([passed, of]) => {
        const { low, high } = wilsonInterval(passed, of);
        const other = wilsonInterval(of - passed, of);
        const more = wilsonInterval(passed * 4, of * 4);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(passed / of);
        expect(high).toBeGreaterThanOrEqual(passed / of);
        expect(other.low).toBeCloseTo(1 - high, 9);
        expect(more.high - more.low).toBeLessThan(high - low);
      }),
    );
  });

  it("says nothing without a trial", () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });
});

describe("pass@k and pass^k", () => {
  // python3: 1 - comb(n - c, k) / comb(n, k), comb(c, k) / comb(n, k)
  it.each([
    [1, 3, 5, 0.6, 0.6],
    [2, 3, 5, 0.9, 0.3],
    [3, 3, 5, 1, 0.1],
    [5, 3, 5, 1, 0],
    [3, 1, 10, 0.3, 0],
    [10, 30, 200, 0.8110586787384348, 1.3382481507937706e-9],
    [100, 30, 200, 0.9999999999283045, 0],
    [5, 0, 5, 0, 0],
    [5, 5, 5, 1, 1],
  ])("of k = %i with %i of %i", (k, passed, of, atLeastOne, all) => {
    expect(passAtLeastOnce(k, passed, of)).toBeCloseTo(atLeastOne, 12);
    expect(passEveryTime(k, passed, of)).toBeCloseTo(all, 12);
  });

  it("need k runs", () => {
    expect(passAtLeastOnce(4, 3, 3)).toBeUndefined();
    expect(passEveryTime(0, 3, 3)).toBeUndefined();
  });

  it("rise and fall with k, and begin with the pass rate", () => {
    const runs = fc
      .integer({ min: 1, max: 60 })
      .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
    fc.assert(
      fc.property(runs, ([passed, of]) => {
        expect(passAtLeastOnce(1, passed, of)).toBeCloseTo(passed / of, 12);
        for (let k = 2; k <= of; k += 1) {
          const [now = 0, before = 0] = [passAtLeastOnce(k, passed, of), passAtLeastOnce(k - 1, passed, of)];
          const [all = 0, allBefore = 0] = [passEveryTime(k, passed, of), passEveryTime(k - 1, passed, of)];
          expect(now).toBeGreaterThanOrEqual(before - 1e-12);
          expect(all).toBeLessThanOrEqual(allBefore + 1e-12);
          expect(all).toBeLessThanOrEqual(now + 1e-12);
        }
      }),
    );
  });
});

it("quantiles of the normal distribution are those of scipy", () => {
  // python3: scipy.stats.norm.ppf(p)
  const expected: [number, number][] = [
    [0.5, 0],
    [0.6, 0.2533471031357997],
    [0.9, 1.2815515655446004],
    [0.95, 1.6448536269514722],
    [0.975, 1.959963984540054],
    [0.99583333, 2.638257002207543],
    [0.999, 3.090232306167813],
    [0.9999999, 5.199337582290661],
    [0.025, -1.9599639845400545],
  ];
  for (const [share, value] of expected) expect(normalQuantile(share)).toBeCloseTo(value, 5);
});

it("quantiles of values are those of R", () => {
  // Rscript -e 'quantile(c(1, 2, 4, 7, 11, 20.5), c(.05, .25, .5, .75, .9))'
  const values = [1, 2, 4, 7, 11, 20.5];
  expect([0.05, 0.25, 0.5, 0.75, 0.9].map((share) => quantile(values, share))).toEqual([
    1.25, 2.5, 5.5, 10, 15.75,
  ]);
  expect(quantile([3], 0.9)).toBe(3);
});

it("random numbers are the same for the same seed, and evenly spread", () => {
  const draw = (seed: number): number[] => Array.from({ length: 20_000 }, createRandom(seed));
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7).slice(0, 5)).not.toEqual(draw(8).slice(0, 5));
  expect(mean(draw(7))).toBeCloseTo(0.5, 1);
  for (const value of draw(9)) expect(value >= 0 && value < 1).toBe(true);
});

/** So many passes among so many runs. */
function runs(passed: number, of: number): number[] {
  return Array.from({ length: of }, (_none, index) => (index < passed ? 1 : 0));
}

function task(one: readonly number[], other: readonly number[]): Stratum {
  return { one, other, tasks: 1 };
}

describe("the difference of two pass rates", () => {
  it("has the interval of a bootstrap within tasks", () => {
    // numpy: 1,000,000 times, binomial(19, c / 20) / 19 for each task and arm: quantiles -0.0263, 0.3684
    const strata = [task(runs(12, 20), runs(6, 20)), task(runs(15, 20), runs(14, 20))];
    const { difference, low, high } = compareRates(strata, { seed: 1, resamples: 20_000 });
    expect(difference).toBeCloseTo(0.175, 12);
    expect(low).toBeCloseTo(-0.0263, 1);
    expect(high).toBeCloseTo(0.3684, 1);
  });

  it("is not certain because few runs agree: then the interval is Newcombe's", () => {
    // Rscript: w <- function(c, n) prop.test(c, n, correct = FALSE)$conf.int; 1 - sqrt((1 - w(3,3)[1])^2 + w(0,3)[2]^2)
    const one = compareRates([task(runs(3, 3), runs(0, 3))], { seed: 1 });
    expect(one).toMatchObject({ difference: 1, high: 1 });
    expect(one.low).toBeCloseTo(0.20592328246, 6);
    // The same for 5/5 against 0/5 and 5/5 against 5/5, each with half the weight.
    const two = compareRates([task(runs(5, 5), runs(0, 5)), task(runs(5, 5), runs(5, 5))], { seed: 1 });
    expect(two.difference).toBe(0.5);
    expect(two.low).toBeCloseTo(0.123727147999, 6);
    expect(two.high).toBeCloseTo(0.717241232392, 6);
  });

  it("says nothing about fewer than three runs of an arm", () => {
    expect(compareRates([task(runs(2, 2), runs(0, 2))], { seed: 1 })).toEqual({
      difference: 1,
      low: -1,
      high: 1,
    });
  });

  it("is the same for the same seed, has the difference inside, turns around with the arms, and widens with confidence", () => {
    const group = fc.tuple(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 6, max: 8 }),
    );
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 4 }), (groups) => {
        const strata = groups.map(([one, other, of]) => task(runs(one, of), runs(other, of)));
        const turned = strata.map(({ one, other }) => task(other, one));
        const options = { seed: 3, resamples: 500 };
        const found = compareRates(strata, options);
        expect(compareRates(strata, options)).toEqual(found);
        expect(found.low).toBeLessThanOrEqual(found.difference + 1e-12);
        expect(found.high).toBeGreaterThanOrEqual(found.difference - 1e-12);
        expect(found.low).toBeGreaterThanOrEqual(-1);
        expect(found.high).toBeLessThanOrEqual(1);
        const mirrored = compareRates(turned, options);
        expect(mirrored.difference).toBeCloseTo(-found.difference, 12);
        expect(Math.abs(mirrored.low + found.high)).toBeLessThan(0.15);
        const sure = compareRates(strata, { ...options, confidence: 0.99 });
        expect(sure.high - sure.low).toBeGreaterThanOrEqual(found.high - found.low - 1e-12);
      }),
      { numRuns: 40 },
    );
  });

  it("holds the truth about as often as it says", () => {
    const random = createRandom(11);
    const draw = (rate: number, of: number): number[] =>
      Array.from({ length: of }, () => (random() < rate ? 1 : 0));
    for (const [one, other] of [
      [0.5, 0.5],
      [0.9, 0.7],
      [0.97, 0.03],
    ] as const) {
      let held = 0;
      for (let round = 0; round < 200; round += 1) {
        const strata = [1, 2, 3].map(() => task(draw(one, 5), draw(other, 5)));
        const { low, high } = compareRates(strata, { seed: round, resamples: 300 });
        if (low - 1e-9 <= one - other && one - other <= high + 1e-9) held += 1;
      }
      expect(held / 200, `${one} against ${other}`).toBeGreaterThan(0.91);
    }
  });
});

describe("the ratio of two amounts", () => {
  const strata = [
    task([1, 1.4, 0.8, 2.2, 1.1, 1.7], [0.7, 0.9, 1.3, 0.6, 1, 0.8]),
    task([3, 3.9, 5.1, 2.7, 3.3, 4.6], [2, 2.9, 1.7, 3.6, 2.4, 2.2]),
  ];

  it("has the interval of a bootstrap within tasks", () => {
    // numpy: 1,000,000 times, means of 5 values drawn from each 6, summed over the tasks: quantiles 1.2021, 1.9452
    const found = compareAmounts(strata, { seed: 1, resamples: 100_000 });
    expect(found?.ratio).toBeCloseTo(1.5323383084577116, 12);
    expect(found?.interval?.low).toBeCloseTo(1.2021, 2);
    expect(found?.interval?.high).toBeCloseTo(1.9452, 2);
  });

  it("has no interval with few values, and is not there if there is nothing to compare with", () => {
    expect(compareAmounts([task([1, 2, 3], [1, 2, 3])], { seed: 1 })).toEqual({ ratio: 1 });
    expect(compareAmounts([task([1, 2], [0, 0])], { seed: 1 })).toBeUndefined();
    expect(compareAmounts([task([0, 0], [0, 0])], { seed: 1 })).toBeUndefined();
  });
});

it("tasks with a single run are taken together, and those that only one arm has are left out", () => {
  const strata = toStrata([
    { one: [1, 0], other: [0, 0] },
    { one: [1], other: [0] },
    { one: [0], other: [0, 1] },
    { one: [1, 1], other: [] },
  ]);
  expect(strata).toEqual([
    { one: [1, 0], other: [0, 0], tasks: 1 },
    { one: [1, 0], other: [0, 0.5], tasks: 2 },
  ]);
});
