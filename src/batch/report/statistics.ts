/*
 * The statistics of a report. Pure functions, compared with scipy and R in their tests.
 */

/** The confidence of every interval that is not widened because several arms are compared. */
export const usualConfidence = 0.95;

export interface Interval {
  low: number;
  high: number;
}

/**
 * Wilson's score interval for a rate: good for few trials and for rates near 0 and 1, where the textbook formula is wrong. With no
 * trial everything is possible.
 */
export function wilsonInterval(passed: number, of: number, confidence: number = usualConfidence): Interval {
  if (of === 0) return { low: 0, high: 1 };
  const z = normalQuantile((1 + confidence) / 2);
  const rate = passed / of;
  const scale = 1 + z ** 2 / of;
  const middle = (rate + z ** 2 / (2 * of)) / scale;
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / of + z ** 2 / (4 * of ** 2));
  return {
    low: passed === 0 ? 0 : Math.max(0, middle - half),
    high: passed === of ? 1 : Math.min(1, middle + half),
  };
}

/**
 * pass@k: the chance that at least one of k runs passes, estimated without bias from more than k of them (Chen et al. 2021).
 * Undefined if there are fewer than k.
 */
export function passAtLeastOnce(k: number, passed: number, of: number): number | undefined {
  return k < 1 || k > of ? undefined : 1 - shareOfChoices(k, of - passed, of);
}

/** pass^k: the chance that all of k runs pass, estimated in the same way. */
export function passEveryTime(k: number, passed: number, of: number): number | undefined {
  return k < 1 || k > of ? undefined : shareOfChoices(k, passed, of);
}

/** How many of all choices of k out of `of` have only members of a part of it. As a product, because factorials overflow. */
function shareOfChoices(k: number, part: number, of: number): number {
  if (part < k) return 0;
  let share = 1;
  for (let taken = 0; taken < k; taken += 1) share *= (part - taken) / (of - taken);
  return share;
}

/** The value below which a share of the sorted values lies, interpolated as R and NumPy do by default (type 7). */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Random numbers from 0 to 1, always the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seed from a text (FNV-1a). */
export function toSeed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The quantile of the normal distribution: Wichura's algorithm AS 241 (PPND7), exact to seven digits. */
export function normalQuantile(share: number): number {
  const q = share - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (
      (q * polynomial(r, 3.3871327179, 50.434271938, 159.29113202, 59.10937472)) /
      polynomial(r, 1, 17.895169469, 78.757757664, 67.1875636)
    );
  }
  const tail = Math.sqrt(-Math.log(q < 0 ? share : 1 - share));
  const distance =
    tail <= 5
      ? polynomial(tail - 1.6, 1.4234372777, 2.75681539, 1.3067284816, 0.17023821103) /
        polynomial(tail - 1.6, 1, 0.737001643, 0.12021132975)
      : polynomial(tail - 5, 6.657905115, 3.081226386, 0.42868294337, 0.017337203997) /
        polynomial(tail - 5, 1, 0.24197894225, 0.012258202635);
  return q < 0 ? -distance : distance;
}

function polynomial(x: number, ...coefficients: readonly number[]): number {
  return coefficients.reduceRight((value, coefficient) => value * x + coefficient, 0);
}
