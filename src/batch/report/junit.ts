import { cleanText } from "../../text/clean-text.js";
import { escapeHtml } from "../../text/escape-html.js";
import { groupBy } from "./figures.js";
import type { BatchReport, ReportCell } from "./schema.js";
import { sum } from "./statistics.js";
import { commandFor, describeKind, markOfCell } from "./words.js";

/**
 * The report as JUnit XML, for CI servers: a test suite for each arm, a test case for each cell. A cell that has no result yet is
 * skipped.
 */
export function toJUnit(report: BatchReport): string {
  const byArm = groupBy(report.cells, ({ armId }) => armId);
  const suites = report.arms.map(({ armId }) => toSuite(report, armId, byArm.get(armId) ?? []));
  const counts = attributes({ name: report.name, ...countsOf(report.cells) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${counts}>\n${suites.join("")}</testsuites>\n`;
}

function toSuite({ startedAt }: BatchReport, armId: string, cells: readonly ReportCell[]): string {
  const timestamp = startedAt.replace(/(?:\.\d+)?Z?$/, "");
  const head = attributes({ name: armId, ...countsOf(cells), timestamp });
  return `  <testsuite${head}>\n${cells.map(toCase).join("")}  </testsuite>\n`;
}

function countsOf(cells: readonly ReportCell[]): Record<string, string | number> {
  const marks = cells.map(markOfCell);
  const having = (wanted: string): number => marks.filter((mark) => mark === wanted).length;
  const failures = having("failed");
  const errors = having("error");
  const skipped = cells.length - failures - errors - having("passed");
  return { tests: cells.length, failures, errors, skipped, time: seconds(sum(cells.map(timeOf))) };
}

function timeOf({ durationMs = 0 }: ReportCell): number {
  return durationMs;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function toCase(cell: ReportCell): string {
  const name = `${cell.taskId} #${cell.repetition}`;
  const head = attributes({ name, classname: cell.armId, time: seconds(timeOf(cell)) });
  const inside = [toOutcome(cell), toOutput(cell)].filter((element) => element !== "");
  if (inside.length === 0) return `    <testcase${head}/>\n`;
  return `    <testcase${head}>\n${inside.map((element) => `      ${element}\n`).join("")}    </testcase>\n`;
}

function toOutcome(cell: ReportCell): string {
  const { reason = "", kind = "unknown", outcome, status } = cell;
  const mark = markOfCell(cell);
  if (mark === "passed") return "";
  if (mark !== "failed" && mark !== "error")
    return `<skipped${attributes({ message: reason || `The cell is ${status}.` })}/>`;
  const element = mark === "failed" ? "failure" : "error";
  const message = reason || describeKind(kind);
  const details = [message, outcome?.failure?.message, outcome?.failure?.hint].filter(
    (line, at, all) => line !== undefined && line !== "" && all.indexOf(line) === at,
  );
  return `<${element}${attributes({ message, type: kind })}>${toXml(details.join("\n"))}</${element}>`;
}

/** How the run is opened, and the end of what the commands around it printed. */
function toOutput(cell: ReportCell): string {
  const { setup, check } = cell;
  const parts = [
    commandFor(cell),
    setup?.isSuccess === false ? `setup:\n${setup.tail}` : undefined,
    check === undefined ? undefined : `check:\n${check.tail}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "" : `<system-out>${toXml(parts.join("\n\n"))}</system-out>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${toXml(String(value)).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;")}"`,
    )
    .join("");
}

/** XML 1.0 forbids some characters even as references. What `cleanText` leaves of them is removed. */
const forbidden = /[\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/gu;

function toXml(text: string): string {
  return escapeHtml(cleanText(text).replace(forbidden, ""));
}
