import { toVisibleLine } from "../../text/cut.js";
import { formatCount, formatNumberOf, formatUsd } from "../../text/numbers.js";
import { groupBy, tally } from "./figures.js";
import type { BatchReport, Confound, Figures, ReportCell } from "./schema.js";
import { formatKinds, formatList } from "./words.js";

/** What confounds are found in: the report without them. */
export type Evidence = Pick<BatchReport, "status" | "isIsolated" | "spentUsd" | "arms" | "total" | "cells">;

type Arm = Evidence["arms"][number];

/** What may be behind a difference besides the arms themselves, each in a sentence. */
export function findConfounds(evidence: Evidence): Confound[] {
  const done = groupBy(
    evidence.cells.filter(({ status }) => status === "done"),
    ({ armId }) => armId,
  );
  const cellsOf = ({ armId }: Arm): readonly ReportCell[] => done.get(armId) ?? [];
  return finders.flatMap((find) => find(evidence, cellsOf));
}

type Finder = (evidence: Evidence, cellsOf: (arm: Arm) => readonly ReportCell[]) => Confound[];

const finders: readonly Finder[] = [
  findUnfinished,
  findNoIsolation,
  (evidence, cellsOf) => findSeveral(evidence, cellsOf, "version", ({ agentVersion }) => agentVersion),
  findOtherModels,
  (evidence, cellsOf) =>
    findSeveral(evidence, cellsOf, "authentication", ({ authentication }) => authentication),
  findErrors,
  findUnequal,
  findRetries,
  findThrottling,
  findWorkers,
  findCosts,
];

function findUnfinished({ status, arms, total: { cells } }: Evidence): Confound[] {
  const missing = cells.planned - cells.done;
  if (missing === 0) return [];
  const why: Record<BatchReport["status"], string> = {
    unfinished: "The batch is not finished",
    completed: "Not every cell was run",
    budget: "The batch stopped at its budget",
    cancelled: "The batch was cancelled",
  };
  const skipped = cells.skipped > 0 ? `, ${formatCount(cells.skipped)} of them skipped` : "";
  const sentence = `${why[status]}: ${formatCount(missing)} of ${formatNumberOf(cells.planned, "cell")} have no result${skipped}. What is missing may differ from what is there.`;
  return [{ kind: "unfinished", arms: arms.map(({ armId }) => armId), sentence }];
}

function findNoIsolation({ isIsolated, arms }: Evidence): Confound[] {
  if (isIsolated) return [];
  const sentence =
    "The runs were not isolated: settings, skills, MCP servers and memory files of the user's home may be behind the results.";
  return [{ kind: "not_isolated", arms: arms.map(({ armId }) => armId), sentence }];
}

const severalWords = {
  version: {
    within: (arm: Arm, found: string) =>
      `The arm ${arm.armId} ran with several versions of ${arm.agent}: ${found}.`,
    between: (agent: string, found: string) => `The arms of ${agent} ran with different versions: ${found}.`,
  },
  authentication: {
    within: (arm: Arm, found: string) =>
      `The arm ${arm.armId} signed in in different ways: ${found}. Limits and models may differ between accounts.`,
    between: (agent: string, found: string) =>
      `The arms of ${agent} signed in in different ways: ${found}. Limits and models may differ between accounts.`,
  },
};

/** A property that should be the same within an arm, and in all arms of one agent. Cells that do not report it do not count. */
function findSeveral(
  { arms }: Evidence,
  cellsOf: (arm: Arm) => readonly ReportCell[],
  kind: keyof typeof severalWords,
  readValue: (cell: ReportCell) => string | undefined,
): Confound[] {
  const words = severalWords[kind];
  const valuesOf = (arm: Arm) => tally(cellsOf(arm).map(readValue));
  const within = arms.flatMap((arm): Confound[] => {
    const values = valuesOf(arm);
    if (values.length < 2) return [];
    const found = formatList(
      values.map(({ kind: name, count }) => `${quoted(name)} in ${formatNumberOf(count, "cell")}`),
    );
    return [{ kind, arms: [arm.armId], sentence: words.within(arm, found) }];
  });
  const between = [...groupBy(arms, ({ agent }) => agent)].flatMap(([agent, own]): Confound[] => {
    const single = own.filter((arm) => valuesOf(arm).length === 1);
    const names = single.map((arm) => ({ arm, name: valuesOf(arm)[0]?.kind ?? "" }));
    if (new Set(names.map(({ name }) => name)).size < 2) return [];
    const found = formatList(names.map(({ arm, name }) => `${quoted(name)} in ${arm.armId}`));
    return [{ kind, arms: single.map(({ armId }) => armId), sentence: words.between(agent, found) }];
  });
  return [...within, ...between];
}

/** What an agent reports may be long and may be anything. */
function quoted(name: string): string {
  return toVisibleLine(name, 80);
}

function findOtherModels({ arms }: Evidence, cellsOf: (arm: Arm) => readonly ReportCell[]): Confound[] {
  return arms.flatMap((arm): Confound[] => {
    const models = tally(cellsOf(arm).map(({ model }) => model));
    const { model: wanted } = arm;
    const other = wanted === undefined ? [] : models.filter(({ kind }) => !isSameModel(wanted, kind));
    const listed = (given: typeof models) =>
      formatList(given.map(({ kind, count }) => `${quoted(kind)} in ${formatNumberOf(count, "cell")}`));
    if (wanted !== undefined && other.length > 0) {
      const sentence = `The arm ${arm.armId} asked for the model ${quoted(wanted)}, but the agent reports ${listed(other)}.`;
      return [{ kind: "model", arms: [arm.armId], sentence }];
    }
    if (models.length < 2) return [];
    return [
      {
        kind: "model",
        arms: [arm.armId],
        sentence: `The arm ${arm.armId} ran with several models: ${listed(models)}.`,
      },
    ];
  });
}

/** What may follow the name of a model that is still the same model: versions, dates, `latest`, `[1m]`. */
const variant = /^(?:[-_.:@]?(?:v?\d[\d.]*|latest|preview|exp)|\[[^\]]*\])*$/;

/**
 * True if a reported model can be the one that was asked for: `opus` may be reported as `claude-opus-4-1-20250805`, but `gpt-5` not
 * as `gpt-5-mini`.
 */
export function isSameModel(wanted: string, reported: string): boolean {
  const [asked, found] = [wanted, reported].map((name) => name.toLowerCase().split("/").at(-1) ?? "");
  if (asked === undefined || found === undefined) return false;
  for (const [short, long] of [
    [asked, found],
    [found, asked],
  ] as const) {
    const at = long.indexOf(short);
    const isWord = at === 0 || (at > 0 && !/[a-z0-9]/.test(long.charAt(at - 1)));
    if (short !== "" && isWord && variant.test(long.slice(at + short.length))) return true;
  }
  return false;
}

function findErrors({ arms, cells }: Evidence): Confound[] {
  const affected = arms.filter(({ figures }) => figures.errors > 0);
  if (affected.length === 0) return [];
  const parts = affected.map(({ armId, figures }) => {
    const kinds = tally(
      cells.filter((cell) => cell.armId === armId && cell.verdict === "error").map(({ kind }) => kind),
    );
    return `${formatCount(figures.errors)} of ${formatCount(figures.cells.done)} in ${armId} (${formatKinds(kinds)})`;
  });
  const clean = arms.length - affected.length;
  const others = clean === 0 ? "" : clean === 1 ? ", none in the other arm" : ", none in the other arms";
  const uneven = isUneven(arms.map(({ figures }) => share(figures.errors, figures.cells.done)))
    ? " They are spread unevenly over the arms: unless that is chance, the pass rates are of different cells."
    : "";
  const sentence = `Errors are excluded from the pass rates: ${formatList(parts)}${others}.${uneven}`;
  return [{ kind: "errors", arms: affected.map(({ armId }) => armId), sentence }];
}

function share(part: number, of: number): number {
  return of === 0 ? 0 : part / of;
}

/** Shares that differ by more than ten points. */
function isUneven(shares: readonly number[]): boolean {
  return Math.max(...shares) - Math.min(...shares) > 0.1;
}

function findUnequal({ arms }: Evidence): Confound[] {
  const counts = arms.map(({ armId, figures }) => ({ armId, count: figures.passed + figures.failed }));
  if (new Set(counts.map(({ count }) => count)).size < 2) return [];
  const found = formatList(counts.map(({ armId, count }) => `${armId} has ${formatCount(count)}`));
  const sentence = `The arms have unequal numbers of results: ${found}.`;
  return [{ kind: "unequal", arms: counts.map(({ armId }) => armId), sentence }];
}

function findRetries({ arms }: Evidence): Confound[] {
  const affected = arms.filter(({ figures }) => figures.retries.cells > 0);
  if (affected.length === 0) return [];
  const parts = affected.map(({ armId, figures: { retries, cells } }) => {
    const why = retries.kinds.length === 0 ? "" : ` (${formatKinds(retries.kinds)})`;
    return `${formatCount(retries.cells)} of ${formatCount(cells.done)} in ${armId}${why}`;
  });
  const sentence = `Cells were tried more than once, and only their last attempt counts: ${formatList(parts)}.`;
  return [{ kind: "retries", arms: affected.map(({ armId }) => armId), sentence }];
}

function findThrottling({ arms }: Evidence): Confound[] {
  const affected = arms.filter(({ figures }) => figures.throttled.cells > 0);
  if (affected.length === 0) return [];
  const parts = affected.map(
    ({ armId, figures: { throttled, cells } }) =>
      `in ${formatCount(throttled.cells)} of ${formatNumberOf(cells.done, "cell")} of ${armId} (${formatNumberOf(throttled.times, "time")})`,
  );
  const sentence = `Agents waited because of a limit, which makes durations longer: ${formatList(parts)}.`;
  return [{ kind: "throttling", arms: affected.map(({ armId }) => armId), sentence }];
}

function findWorkers({ arms }: Evidence, cellsOf: (arm: Arm) => readonly ReportCell[]): Confound[] {
  const shares = arms.map((arm) => ({ arm, workers: tally(cellsOf(arm).map(({ worker }) => worker)) }));
  const names = [...new Set(shares.flatMap(({ workers }) => workers.map(({ kind }) => kind)))];
  if (names.length < 2) return [];
  const uneven = names.filter((name) =>
    isUneven(
      shares
        .filter(({ workers }) => workers.length > 0)
        .map(({ arm, workers }) =>
          share(workers.find(({ kind }) => kind === name)?.count ?? 0, cellsOf(arm).length),
        ),
    ),
  );
  const ran = `The cells ran on ${formatNumberOf(names.length, "worker")}`;
  const sentence =
    uneven.length === 0
      ? `${ran}, with every arm spread evenly over them; durations depend on the machine.`
      : `${ran}, and not every arm was spread evenly over ${formatList(uneven.map(quoted))}; durations depend on the machine.`;
  return [{ kind: "workers", arms: arms.map(({ armId }) => armId), sentence }];
}

/** Estimates are list prices. Agents report what they were charged, or what they think. */
function findCosts({ arms, spentUsd, total }: Evidence): Confound[] {
  const known = arms.flatMap(({ armId, figures: { costUsd } }) =>
    costUsd === undefined ? [] : [{ armId, costUsd }],
  );
  const estimated = known.filter(({ costUsd }) => costUsd.estimated > 0);
  const found: Confound[] = [];
  if (estimated.length > 0 && known.some(({ costUsd }) => costUsd.estimated < costUsd.count)) {
    const names = estimated.map(({ armId }) => armId);
    const sentence = `Costs of ${formatList(names)} are estimated from list prices, others are the agents' own figures: compare them with care.`;
    found.push({ kind: "cost", arms: names, sentence });
  }
  const lacking = arms.filter(({ figures }) => lacksCosts(figures));
  if (lacking.length > 0 && known.length > 0) {
    const names = lacking.map(({ armId }) => armId);
    const sentence = `Costs are not known for every run of ${formatList(names)}.`;
    found.push({ kind: "cost", arms: names, sentence });
  }
  const others = spentUsd - total.spentUsd;
  if (others > 0.00005) {
    const sentence = `Attempts that do not count cost ${formatUsd(others)} more. No figure of an arm includes them.`;
    found.push({ kind: "cost", arms: [], sentence });
  }
  return found;
}

function lacksCosts({ passed, failed, costUsd }: Figures): boolean {
  return (costUsd?.count ?? 0) < passed + failed;
}
