import { cutEnd } from "../../../outputs/text/cut.js";
import type { Line, Style } from "../../../outputs/text/line.js";
import { paint } from "../../../outputs/text/paint.js";
import { widthOf } from "../../../outputs/text/width.js";
import { wrapText } from "../../../outputs/text/wrap.js";
import { cleanLine } from "../../../text/cut.js";
import { formatDuration, formatUsd } from "../../../text/numbers.js";
import type { BatchReport } from "../schema.js";
import { describeCells, describeSize, describeVerdicts, statusWords } from "../words.js";
import { renderAgreement, renderFailures, renderNotPassed, renderPassAtK, renderTasks } from "./details.js";
import { dimRows, figureCells, sentences } from "./rows.js";
import { type Column, styled, type TableCell, toTableLines } from "./table.js";

export interface TextOptions {
  /** Columns. Default 80. */
  width?: number | undefined;
  hasColor?: boolean | undefined;
}

/** The report for a terminal. */
export function toText(report: BatchReport, { width = 80, hasColor = false }: TextOptions = {}): string {
  const sections: Line[][] = [
    renderHead(report, width),
    renderArms(report, width),
    titled(
      "Differences",
      sentences(
        report.comparisons.flatMap((one) => one.sentences),
        width,
      ),
    ),
    titled(
      "What else may be behind it",
      sentences(
        report.confounds.map(({ sentence }) => sentence),
        width,
        "warning",
      ),
    ),
    renderTasks(report, width),
    renderPassAtK(report, width),
    renderFailures(report, width),
    renderAgreement(report, width),
    renderNotPassed(report, width),
    renderNotes(report, width),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${paint(line, hasColor).trimEnd()}\n`).join(""))
    .join("\n");
}

/** Rows below their title. */
function titled(title: string, lines: readonly Line[]): Line[] {
  return lines.length === 0 ? [] : [[{ text: title, style: "bold" }], ...lines];
}

const statusStyles: Record<BatchReport["status"], Style> = {
  completed: "success",
  unfinished: "accent",
  budget: "warning",
  cancelled: "warning",
};

function renderHead(report: BatchReport, width: number): Line[] {
  const { name, batchId, status, startedAt, endedAt, reportedAt, spentUsd, budgetUsd, total } = report;
  const until = endedAt ?? reportedAt;
  const took =
    until === undefined ? "" : ` after ${formatDuration(Date.parse(until) - Date.parse(startedAt))}`;
  const ending = `${statusWords[status]}${took}`;
  const budget = budgetUsd === undefined ? "" : ` of ${formatUsd(budgetUsd)}`;
  const facts = [
    batchId,
    describeSize(report),
    describeCells(total),
    describeVerdicts(total),
    `${formatUsd(spentUsd)}${budget} spent`,
  ];
  const stopped = report.stoppedAgents.map(
    ({ agent, failure }) =>
      `${agent} was stopped (${failure.kind.replaceAll("_", " ")}): ${failure.message} ${failure.hint ?? ""}`,
  );
  return [
    [
      styled(cutEnd(cleanLine(name), Math.max(8, width - widthOf(`  ${ending}`))), "bold"),
      { text: "  " },
      styled(ending, statusStyles[status]),
    ],
    ...wrapText(facts.map(cleanLine).join(" · "), width).map((row): Line => [styled(row, "dim")]),
    ...sentences(stopped, width, "failure"),
  ];
}

const armColumns: readonly Column[] = [
  { title: "Arm", maxWidth: 22 },
  { title: "passed", isNumber: true },
  { title: "of", isNumber: true },
  { title: "interval", isNumber: true },
  { title: "cost", isNumber: true },
  { title: "time", isNumber: true },
  { title: "tokens", isNumber: true },
  { title: "errors", isNumber: true },
  { title: "turns", isNumber: true },
];

function renderArms({ arms, total }: BatchReport, width: number): Line[] {
  const rows = arms.map(({ armId, figures }): TableCell[] => [
    styled(armId, "bold"),
    ...figureCells(figures),
  ]);
  const isEstimated = (total.costUsd?.estimated ?? 0) > 0;
  const hasMedians = total.costUsd !== undefined || total.durationMs !== undefined;
  const words = `Cost, time, tokens and turns are medians of one run.${isEstimated ? " ~: estimated." : ""}`;
  return [...toTableLines(armColumns, rows, width), ...(hasMedians ? dimRows(words, width) : [])];
}

function renderNotes({ notes }: BatchReport, width: number): Line[] {
  return notes.flatMap((note) => dimRows(note, width));
}
