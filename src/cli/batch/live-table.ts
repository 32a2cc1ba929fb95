import type { BatchState, CellState } from "../../batch/model/batch-state.js";
import { formatShare } from "../../batch/report/words.js";
import { cutEnd } from "../../outputs/text/cut.js";
import type { Line, Segment, Style } from "../../outputs/text/line.js";
import { widthOf } from "../../outputs/text/width.js";
import { formatDuration, formatNumberOf, formatOffset, formatUsd } from "../../text/numbers.js";
import { cellName, passRateOf, type Standing, standingsOf, timeLeftOf } from "./figures.js";

/** What the table shows besides the batch. */
export interface TableOptions {
  now: number;
  /** When this process began with the batch. */
  since: number;
  columns: number;
  /** The most rows that it may take. */
  rows: number;
  /** Said in the last row. */
  hint: string;
}

/** A batch under way, as rows that fit the terminal: the whole, each arm, and what runs. */
export function toLiveTable(state: BatchState, options: TableOptions): Line[] {
  const { all, arms } = standingsOf(state);
  const head = headOf(state, all, options);
  const hint: Line = [{ text: options.hint, style: "dim" }];
  const table = armRows(arms, options.columns);
  const space = Math.max(0, options.rows - 2);
  const shown = table.slice(0, Math.max(2, space - Math.min(all.running, leastCells)));
  const cells = cellRows(state, options.now, Math.max(0, space - shown.length));
  return [head, ...shown, ...cells, hint]
    .slice(-Math.max(1, options.rows))
    .map((line) => fitRow(line, options.columns));
}

/** If the terminal is low, cells have at least this many rows. */
const leastCells = 2;

function headOf(state: BatchState, all: Standing, { now, since }: TableOptions): Line {
  const { plan } = state.head;
  const left = timeLeftOf(state, now);
  const budget = plan.budgetUsd === undefined ? "" : ` of ${formatUsd(plan.budgetUsd)}`;
  const facts: (Segment | undefined)[] = [
    { text: `${all.done} of ${all.total} done` },
    all.errors === 0 ? undefined : { text: formatNumberOf(all.errors, "error"), style: "failure" },
    all.skipped === 0 ? undefined : { text: `${all.skipped} skipped`, style: "warning" },
    all.costUsd === 0 && budget === "" ? undefined : { text: `${formatUsd(all.costUsd)}${budget}` },
    { text: formatDuration(wholeSeconds(now - since)) },
    left === undefined || left === 0
      ? undefined
      : { text: `about ${formatDuration(wholeSeconds(left))} left` },
  ];
  const shown = facts.filter((fact) => fact !== undefined);
  return [
    { text: `${plan.name}  `, style: "bold" },
    ...shown.flatMap((fact, index) =>
      index === 0 ? [fact] : [{ text: " · ", style: "dim" as const }, fact],
    ),
  ];
}

/** A time that changes ten times in a second is hard to read. */
function wholeSeconds(milliseconds: number): number {
  return Math.max(1000, Math.round(milliseconds / 1000) * 1000);
}

interface Column {
  title: string;
  text(standing: Standing): string;
  style?: (standing: Standing) => Style | undefined;
  /** Left out if the terminal is too narrow: the highest number first. */
  leaves?: number;
}

const columns: readonly Column[] = [
  { title: "DONE", text: ({ done, total }) => `${done}/${total}` },
  { title: "RUNNING", text: ({ running }) => String(running), leaves: 2 },
  { title: "WAITING", text: ({ waiting, retrying }) => String(waiting + retrying), leaves: 3 },
  { title: "FAILED", text: ({ failed }) => String(failed), leaves: 1 },
  {
    title: "ERRORS",
    text: ({ errors, skipped }) => String(errors + skipped),
    style: ({ errors, skipped }) => (errors + skipped > 0 ? "failure" : undefined),
    leaves: 4,
  },
  { title: "PASS", text: (standing) => formatRate(passRateOf(standing)) },
  { title: "COST", text: ({ costUsd }) => (costUsd === 0 ? "-" : formatUsd(costUsd)), leaves: 0 },
];

/** As in the report, or `-` if no cell says anything about the agent yet. */
export function formatRate(rate: number | undefined): string {
  return rate === undefined ? "-" : formatShare(rate);
}

const gap = 2;
const widestArm = 32;

function armRows(arms: ReadonlyMap<string, Standing>, width: number): Line[] {
  const names = ["ARM", ...arms.keys()];
  const nameWidth = Math.min(widestArm, Math.max(...names.map(widthOf)));
  const standings = [...arms.values()];
  const widthOfColumn = ({ title, text }: Column): number =>
    gap + Math.max(title.length, ...standings.map((standing) => text(standing).length));
  let kept = [...columns];
  const leaving = columns
    .filter(({ leaves }) => leaves !== undefined)
    .sort((a, b) => (b.leaves ?? 0) - (a.leaves ?? 0));
  for (const column of leaving) {
    if (nameWidth + kept.reduce((sum, each) => sum + widthOfColumn(each), 0) <= width) break;
    kept = kept.filter((each) => each !== column);
  }
  const head = kept.map((column) => column.title.padStart(widthOfColumn(column))).join("");
  return [
    [{ text: `${"ARM".padEnd(nameWidth)}${head}`, style: "dim" }],
    ...[...arms].map(
      ([arm, standing]): Line => [
        { text: padEnd(cutEnd(arm, nameWidth), nameWidth) },
        ...kept.map((column) => ({
          text: column.text(standing).padStart(widthOfColumn(column)),
          style: column.style?.(standing),
        })),
      ],
    ),
  ];
}

function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** What runs and what waits for another attempt. If there is no room for all, the last row says how many more there are. */
function cellRows({ cells }: BatchState, now: number, room: number): Line[] {
  const all = [...cells.values()];
  const open = ["running", "retrying"].flatMap((wanted) => all.filter(({ status }) => status === wanted));
  if (room === 0) return [];
  const shown = open.length > room ? open.slice(0, room - 1) : open;
  const rest = open.length - shown.length;
  return [
    ...shown.map((cell) => cellRow(cell, now)),
    ...(rest > 0 ? [[{ text: `  and ${rest} more`, style: "dim" as const }]] : []),
  ];
}

function cellRow(
  { cell, status, startedAt, until, failure, attempts, worker }: CellState,
  now: number,
): Line {
  if (status === "retrying") {
    const wait = formatDuration(wholeSeconds(Date.parse(until ?? "") - now || 0));
    return [
      { text: "… ", style: "warning" },
      { text: `${cellName(cell)}  ${failure?.kind ?? "failed"}, again in ${wait}`, style: "dim" },
    ];
  }
  const details = [
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
    ...(worker === undefined ? [] : [`on ${worker}`]),
  ];
  return [
    { text: "▸ ", style: "accent" },
    { text: `${cellName(cell)}  ` },
    { text: formatOffset(now - Date.parse(startedAt ?? "") || 0), style: "dim" },
    ...(details.length === 0 ? [] : [{ text: `  ${details.join(", ")}`, style: "dim" as const }]),
  ];
}

/** One row of the terminal: what is too long is cut, and the last column stays free, where some terminals would wrap. */
function fitRow(line: Line, width: number): Line {
  let left = Math.max(1, width - 1);
  const shown: Segment[] = [];
  for (const segment of line) {
    if (left <= 0) break;
    const text = cutEnd(segment.text, left);
    shown.push({ ...segment, text });
    left -= widthOf(text);
    if (text !== segment.text) break;
  }
  return shown;
}
