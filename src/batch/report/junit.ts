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
  const suites = report.arms.map((arm) => toSuite(report, arm, byArm.get(arm.armId) ?? []));
  const counts = attributes({ name: report.name, ...countsOf(report.cells) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${counts}>\n${suites.join("")}</testsuites>\n`;
}

type Arm = BatchReport["arms"][number];

function toSuite(report: BatchReport, arm: Arm, cells: readonly ReportCell[]): string {
  const timestamp = report.startedAt.replace(/(?:\.\d+)?Z?$/, "");
  const head = attributes({ name: arm.armId, ...countsOf(cells), timestamp });
  const inside = `${toProperties(report, arm, cells)}${cells.map(toCase).join("")}`;
  return `  <testsuite${head}>\n${inside}  </testsuite>\n`;
}

/** What no attribute of a suite says. Every reader of JUnit knows properties of suites; those of cases are newer. */
function toProperties(
  { batchId, status }: BatchReport,
  { agent, model }: Arm,
  cells: readonly ReportCell[],
): string {
  const costs = cells.flatMap(({ costUsd }) => costUsd ?? []);
  const values = {
    batch: batchId,
    status,
    agent,
    ...(model !== undefined && { model }),
    ...(costs.length > 0 && { costUsd: sum(costs).toFixed(6) }),
  };
  const rows = Object.entries(values).map(
    ([name, value]) => `      <property${attributes({ name: `harness.${name}`, value })}/>\n`,
  );
  return `    <properties>\n${rows.join("")}    </properties>\n`;
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

/** GitLab takes `[[ATTACHMENT|path]]` in any output for a file that the test has left. */
const attachment = /\[(?=\[ATTACHMENT\|)/gi;

function toXml(text: string): string {
  const safe = cleanText(text).replace(forbidden, "").replace(attachment, "[ ");
  // Attributes are in double quotes, and some readers do not know `&#39;`.
  return escapeHtml(safe).replaceAll("&#39;", "'");
}
