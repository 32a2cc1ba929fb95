import { homedir } from "node:os";
import type { Line, Segment } from "../../outputs/text/line.js";
import type { Grouping, RunGroup, RunTotals } from "../../story/run-totals.js";
import { formatCount, formatDuration, formatNumberOf, formatShortCount } from "../../text/numbers.js";
import { describeRate, describeSum, formatCents } from "../run-figures.js";
import { type FittedColumn, toFittedTable } from "../table.js";
import { toBar, toSparkline } from "./charts.js";
import type { Stats } from "./report.js";

const titles: Readonly<Record<Grouping, string>> = {
  day: "DAY",
  agent: "AGENT",
  model: "MODEL",
  directory: "DIRECTORY",
};

/** In the overview; `--by` shows all. */
const shownGroups = 5;
const pipeColumns = 100;

/** The overview, or one whole table. */
export function describeStats(stats: Stats, by: Grouping | undefined, columns: number): Line[] {
  const width = Math.min(columns, pipeColumns);
  if (by !== undefined) return toGroupTable(by, stats.groups[by], width);
  const others = (["agent", "model", "directory"] as const).flatMap((name) => {
    const groups = stats.groups[name];
    const rest = groups.length - shownGroups;
    const more: Line[] = rest > 0 ? [[dim(`and ${formatCount(rest)} more: harness stats --by ${name}`)]] : [];
    return [[], ...toGroupTable(name, groups.slice(0, shownGroups), width), ...more];
  });
  return [...toFacts(stats), [], ...toDayCharts(stats, width), ...others];
}

function toFacts({ totals, since, until }: Stats): Line[] {
  const { runs, succeeded, unsuccessful, running, ofBatches, withoutTokens } = totals;
  const parts = [
    `${formatCount(succeeded)} succeeded (${describeRate(totals)})`,
    ...(unsuccessful > 0 ? [`${formatCount(unsuccessful)} did not`] : []),
    ...(running > 0 ? [`${formatCount(running)} running`] : []),
    ...(ofBatches > 0 ? [`${formatCount(ofBatches)} of batches`] : []),
  ];
  const facts: [string, string][] = [
    ["Runs", `${formatCount(runs)}: ${parts.join(", ")}`],
    ["Cost", describeCosts(totals)],
    [
      "Tokens",
      withoutTokens === runs
        ? "not reported"
        : `${formatShortCount(totals.tokens)}: ${describeTokens(totals)}${without(withoutTokens)}`,
    ],
    ["Time", totals.durationMs === 0 ? "not known" : `${formatDuration(totals.durationMs)} in all`],
  ];
  return [
    [{ text: since === until ? since : `${since} to ${until}`, style: "bold" }],
    ...facts.map(([label, value]): Line => [dim(label.padEnd(8)), { text: value }]),
  ];
}

function describeCosts(totals: RunTotals): string {
  const { estimatedUsd, withoutCost, runs } = totals;
  if (withoutCost === runs) return "not reported";
  const estimated =
    estimatedUsd > 0 ? `, ${describeSum({ ...totals, costUsd: estimatedUsd })} of it estimated` : "";
  return `${describeSum(totals)}${estimated}${without(withoutCost)}`;
}

function describeTokens({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: RunTotals): string {
  return [
    `input ${formatShortCount(inputTokens)}`,
    `cache ${formatShortCount(cacheReadTokens + cacheWriteTokens)}`,
    `output ${formatShortCount(outputTokens)}`,
  ].join(", ");
}

function without(count: number): string {
  return count === 0 ? "" : ` (${formatNumberOf(count, "run")} without)`;
}

/** One mark per day. If there are more days than columns, the last ones are shown. */
function toDayCharts({ groups }: Stats, width: number): Line[] {
  const days = groups.day.slice(-(width - 30));
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined || days.length < 2) return [];
  const most = (value: (day: RunGroup) => number): number => Math.max(...days.map(value));
  const rows: [string, (day: RunGroup) => number, string][] = [
    ["Runs", ({ runs }) => runs, `most ${formatCount(most(({ runs }) => runs))} a day`],
    ["Cost", ({ costUsd }) => costUsd, `most ${formatCents(most(({ costUsd }) => costUsd))} a day`],
  ];
  const charts = rows
    .filter(([, value]) => most(value) > 0)
    .map(
      ([label, value, note]): Line => [
        dim(label.padEnd(8)),
        { text: toSparkline(days.map(value)), style: "accent" },
        dim(`  ${note}`),
      ],
    );
  const ends = `${first.key.slice(5)}${last.key.slice(5).padStart(days.length - 5)}`;
  return charts.length === 0 ? [] : [...charts, ...(days.length >= 12 ? [[dim(" ".repeat(8) + ends)]] : [])];
}

const barWidth = 16;

function toGroupTable(by: Grouping, groups: readonly RunGroup[], width: number): Line[] {
  const hasCosts = groups.some(({ costUsd }) => costUsd > 0);
  const value = ({ costUsd, runs }: RunGroup): number => (hasCosts ? costUsd : runs);
  const most = groups.reduce((max, group) => Math.max(max, value(group)), 0);
  const columns: FittedColumn<RunGroup>[] = [
    {
      title: titles[by],
      text: ({ key }) => (by === "directory" ? shortPath(key) : key),
      least: 12,
      most: 60,
      ...(by === "directory" && { isPath: true as const }),
    },
    { title: "RUNS", text: ({ runs }) => formatCount(runs), isNumber: true },
    { title: "SUCCESS", text: describeRate, isNumber: true, style: styleOfRate },
    { title: "COST", text: describeSum, isNumber: true },
    {
      title: "TOKENS",
      text: (group) => (group.withoutTokens === group.runs ? "-" : formatShortCount(group.tokens)),
      isNumber: true,
      rank: 3,
    },
    {
      title: "TIME",
      text: ({ durationMs }) => (durationMs === 0 ? "-" : formatDuration(durationMs)),
      isNumber: true,
      rank: 2,
    },
    {
      title: hasCosts ? "RELATIVE COST" : "RELATIVE RUNS",
      text: (group) => toBar(value(group), most, barWidth),
      style: () => "accent",
      rank: 1,
    },
  ];
  return toFittedTable(columns, groups, width);
}

function styleOfRate(totals: RunTotals): Segment["style"] {
  if (totals.unsuccessful === 0) return totals.succeeded === 0 ? "dim" : "success";
  return totals.succeeded === 0 ? "failure" : undefined;
}

function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function dim(text: string): Segment {
  return { text, style: "dim" };
}
