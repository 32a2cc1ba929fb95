import type { TokenCounts } from "../../events/usage.js";
import type { CellState } from "../model/batch-state.js";
import type { CellResult } from "../model/cell.js";
import type { Figures, KindCount, PassRate, ReportCell, Spread } from "./schema.js";
import { mean, passAtLeastOnce, passEveryTime, quantile, sum, wilsonInterval } from "./statistics.js";

/** A cell as the report shows it. A result counts only while the cell is done: a resumed one is to get another. */
export function toReportCell({ cell, result, ...state }: CellState): ReportCell {
  const { status, attempts, runId, worker, startedAt } = state;
  const known = { cellId: cell.id, taskId: cell.task.id, armId: cell.arm.id, repetition: cell.repetition };
  if (status === "done" && result !== undefined) {
    const kind = kindOf(result);
    return { ...result, ...known, status, retries: [...result.retries], ...(kind !== undefined && { kind }) };
  }
  const reason = status === "skipped" ? state.reason : state.failure?.message;
  const isBegun = status === "running" || status === "retrying";
  return {
    ...known,
    status,
    attempts,
    retries: [],
    throttled: 0,
    commands: { run: 0, failed: 0 },
    ...(isBegun && { runId, worker, startedAt }),
    ...(status !== "waiting" && { reason }),
  };
}

/** Why a cell did not pass, in one word. */
function kindOf({ verdict, setup, check, outcome }: CellResult): string | undefined {
  if (verdict === "passed") return undefined;
  if (setup?.isSuccess === false) return "setup";
  if (outcome === undefined) return "workspace";
  if (!outcome.isSuccess) return outcome.failure?.kind ?? outcome.reason;
  if (check === undefined) return verdict === "error" ? "workspace" : "unknown";
  return check.isTimedOut ? "check_timeout" : "check";
}

/** The figures of some cells. Cheap enough to be made again whenever a cell ends. */
export function createFigures(cells: readonly ReportCell[]): Figures {
  const having = (status: ReportCell["status"]): number =>
    cells.filter((cell) => cell.status === status).length;
  const done = cells.filter(({ status }) => status === "done");
  const counted = done.filter(({ verdict }) => verdict !== "error");
  const passed = counted.filter(({ verdict }) => verdict === "passed").length;
  const optional = {
    passRate: toPassRate(passed, counted.length),
    costUsd: toCost(counted),
    durationMs: toSpread(counted.map(({ durationMs }) => durationMs)),
    tokens: toSpread(counted.map(({ usage }) => usage?.totalTokens)),
    turns: toSpread(counted.map(({ turns }) => turns)),
    changes: toChanges(counted),
    agreement: toAgreement(counted),
  };
  return {
    cells: {
      planned: cells.length,
      done: done.length,
      running: having("running"),
      retrying: having("retrying"),
      waiting: having("waiting"),
      skipped: having("skipped"),
    },
    passed,
    failed: counted.length - passed,
    errors: done.length - counted.length,
    setupFailures: done.filter(({ kind }) => kind === "setup").length,
    passAtK: toPassAtK(counted),
    spentUsd: sum(done.map(({ costUsd = 0 }) => costUsd)),
    tokenClasses: sumTokens(counted),
    commands: {
      run: sum(counted.map(({ commands }) => commands.run)),
      failed: sum(counted.map(({ commands }) => commands.failed)),
    },
    failures: tally(done.map(({ kind }) => kind)),
    retries: toRetries(done),
    throttled: {
      cells: done.filter(({ throttled }) => throttled > 0).length,
      times: sum(done.map(({ throttled }) => throttled)),
    },
    ...withoutUndefined(optional),
  };
}

type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function withoutUndefined<T extends object>(fields: T): Present<T> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Present<T>;
}

function toPassRate(passed: number, of: number): PassRate | undefined {
  return of === 0 ? undefined : { passed, of, rate: passed / of, ...wilsonInterval(passed, of) };
}

/** Values that are not reported are left out. */
function toSpread(given: readonly (number | undefined)[]): Spread | undefined {
  const sorted = given.filter((value) => value !== undefined).sort((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return undefined;
  return {
    count: sorted.length,
    sum: sum(sorted),
    mean: mean(sorted),
    min,
    lowerQuartile: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    upperQuartile: quantile(sorted, 0.75),
    max,
  };
}

function toCost(cells: readonly ReportCell[]): Figures["costUsd"] | undefined {
  const spread = toSpread(cells.map(({ costUsd }) => costUsd));
  if (spread === undefined) return undefined;
  const estimated = cells.filter((cell) => cell.costUsd !== undefined && cell.costSource === "estimated");
  return { ...spread, estimated: estimated.length };
}

function toChanges(cells: readonly ReportCell[]): Figures["changes"] | undefined {
  const files = toSpread(cells.map(({ changes }) => changes?.files));
  if (files === undefined) return undefined;
  return {
    files,
    insertions: sum(cells.map(({ changes }) => changes?.insertions ?? 0)),
    deletions: sum(cells.map(({ changes }) => changes?.deletions ?? 0)),
  };
}

function sumTokens(cells: readonly ReportCell[]): TokenCounts {
  const sums: Record<string, number> = {};
  for (const { usage = {} } of cells)
    for (const [name, tokens] of Object.entries(usage)) sums[name] = (sums[name] ?? 0) + tokens;
  return sums;
}

export function tally(kinds: readonly (string | undefined)[]): KindCount[] {
  const counts = new Map<string, number>();
  for (const kind of kinds) if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Array.from(counts, ([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count);
}

function toRetries(cells: readonly ReportCell[]): Figures["retries"] {
  const kinds = cells.flatMap(({ retries }) => retries.map(({ failure }) => failure.kind));
  return {
    cells: cells.filter(({ attempts }) => attempts > 1).length,
    attempts: sum(cells.map(({ attempts }) => Math.max(0, attempts - 1))),
    kinds: tally(kinds),
  };
}

function toAgreement(cells: readonly ReportCell[]): Figures["agreement"] | undefined {
  const both = cells.filter(({ check, outcome }) => check !== undefined && outcome !== undefined);
  if (both.length === 0) return undefined;
  const having = (isSuccess: boolean, isPassed: boolean): number =>
    both.filter((one) => one.outcome?.isSuccess === isSuccess && one.check?.isSuccess === isPassed).length;
  return {
    agentSucceeded: { passed: having(true, true), failed: having(true, false) },
    agentFailed: { passed: having(false, true), failed: having(false, false) },
  };
}

/** Values of k that people ask for, besides the number of repetitions itself. */
const usualKs = [1, 2, 3, 5, 10, 20, 50, 100];

function toPassAtK(cells: readonly ReportCell[]): Figures["passAtK"] {
  const tasks = [...groupBy(cells, ({ taskId, armId }) => `${armId}\n${taskId}`).values()].map((group) => ({
    of: group.length,
    passed: group.filter(({ verdict }) => verdict === "passed").length,
  }));
  if (tasks.length === 0) return [];
  const most = Math.min(...tasks.map(({ of }) => of));
  const ks = [...new Set([...usualKs.filter((k) => k < most), most])];
  return ks.map((k) => ({
    k,
    atLeastOne: mean(tasks.map(({ passed, of }) => passAtLeastOnce(k, passed, of) ?? 0)),
    all: mean(tasks.map(({ passed, of }) => passEveryTime(k, passed, of) ?? 0)),
  }));
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
