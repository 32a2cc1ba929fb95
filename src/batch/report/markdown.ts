import { codeSpan, escapeMarkdown, fence } from "../../outputs/markdown-fence.js";
import { toVisibleLine } from "../../text/cut.js";
import {
  formatCount,
  formatDuration,
  formatNumberOf,
  formatShortCount,
  formatUsd,
} from "../../text/numbers.js";
import type { BatchReport, Figures, ReportCell } from "./schema.js";
import {
  cellsByGroup,
  commandFor,
  commonKs,
  describeCells,
  describeChances,
  describeCost,
  describeSize,
  describeVerdicts,
  findNotPassed,
  formatInterval,
  formatKinds,
  formatShare,
  groupKey,
  markOfCell,
  markSigns,
  nameOfCell,
  statusWords,
} from "./words.js";

/** A comment on GitHub may have 65,536 characters. */
const maxCharacters = 60_000;
const maxListed = 30;
const maxGroups = 300;
const tailLength = 1200;

/** The report to paste into a pull request. Long lists are cut until it fits into a comment. */
export function toMarkdownReport(report: BatchReport): string {
  let text = "";
  for (const part of [1, 0.5, 0.2, 0]) {
    text = render(report, part);
    if (text.length <= maxCharacters) break;
  }
  return text;
}

function render(report: BatchReport, part: number): string {
  const sections = [
    `# ${plain(report.name, 120)}`,
    renderHead(report),
    renderArms(report),
    renderSentences(
      "Differences",
      report.comparisons.flatMap(({ sentences }) => sentences),
    ),
    renderSentences(
      "What else may be behind it",
      report.confounds.map(({ sentence }) => sentence),
    ),
    renderTasks(report, Math.floor(maxGroups * part)),
    renderPassAtK(report),
    renderFailures(report),
    renderAgreement(report.total),
    renderNotPassed(report, Math.floor(maxListed * part)),
    report.notes.map((note) => escapeMarkdown(note)).join("\n\n"),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

/** Text in which nothing is Markdown, on one line. */
function plain(text: string, maxLength = 200): string {
  return escapeMarkdown(toVisibleLine(text, maxLength));
}

function renderHead(report: BatchReport): string {
  const { batchId, status, total, spentUsd, stoppedAgents } = report;
  const facts = [
    `**${statusWords[status]}**`,
    describeSize(report),
    describeCells(total),
    describeVerdicts(total),
    `${formatUsd(spentUsd)} spent`,
    codeSpan(toVisibleLine(batchId, 100)),
  ];
  const stopped = stoppedAgents.map(
    ({ agent, failure }) => `- ${plain(agent)} was stopped (${failure.kind}): ${plain(failure.message)}`,
  );
  return [facts.join(" · "), ...(stopped.length === 0 ? [] : [stopped.join("\n")])].join("\n\n");
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(titles),
    line(titles.map((_title, at) => (at === 0 ? "---" : "---:"))),
    ...rows.map(line),
  ].join("\n");
}

function figureCells({ passRate, costUsd, durationMs }: Figures): string[] {
  return [
    passRate === undefined ? "" : formatShare(passRate.rate),
    passRate === undefined ? "no result" : formatInterval(passRate),
    costUsd === undefined ? "" : escapeMarkdown(describeCost(costUsd)),
    durationMs === undefined ? "" : formatDuration(durationMs.median),
  ];
}

function renderArms({ arms, total }: BatchReport): string {
  const titles = [
    "Arm",
    "passed",
    "interval",
    "cost",
    "time",
    "of",
    "errors",
    "tokens",
    "turns",
    "commands",
    "files",
  ];
  const rows = arms.map(({ armId, figures }) => [
    `**${plain(armId, 60)}**`,
    ...figureCells(figures),
    formatCount(figures.passRate?.of ?? 0),
    formatCount(figures.errors),
    figures.tokens === undefined ? "" : formatShortCount(Math.round(figures.tokens.median)),
    figures.turns === undefined ? "" : String(Number(figures.turns.median.toFixed(1))),
    `${formatCount(figures.commands.run)}${figures.commands.failed === 0 ? "" : `, ${formatCount(figures.commands.failed)} failed`}`,
    figures.changes === undefined ? "" : String(Number(figures.changes.files.median.toFixed(1))),
  ]);
  const estimated = (total.costUsd?.estimated ?? 0) > 0 ? " \\~: estimated." : "";
  return `${table(titles, rows)}\n\nCost, time, tokens, turns and files are medians of one run.${estimated}`;
}

function renderSentences(title: string, sentences: readonly string[]): string {
  if (sentences.length === 0) return "";
  return [`## ${title}`, sentences.map((sentence) => `- ${plain(sentence, 600)}`).join("\n")].join("\n\n");
}

function renderTasks(report: BatchReport, most: number): string {
  const cellsOf = cellsByGroup(report);
  const rows = report.groups.slice(0, most).map(({ taskId, armId, figures }) => {
    const cells = cellsOf.get(groupKey({ taskId, armId })) ?? [];
    const signs = cells.map((cell) => markSigns[markOfCell(cell)]).join("");
    return [plain(taskId, 60), plain(armId, 60), plain(signs, 40), ...figureCells(figures)];
  });
  const left = report.groups.length - rows.length;
  const more = left > 0 ? `\n\n… and ${formatCount(left)} more.` : "";
  return `## Tasks\n\n${table(["Task", "arm", "runs", "passed", "interval", "cost", "time"], rows)}${more}`;
}

function renderPassAtK(report: BatchReport): string {
  const ks = commonKs(report);
  if (ks.length < 2) return "";
  const rows = report.arms.map(({ armId, figures }) => [plain(armId, 60), ...describeChances(figures, ks)]);
  const titles = ["pass@k / pass^k", ...ks.map((k) => `k = ${k}`)];
  return `${table(titles, rows)}\n\nThe chance that at least one of k runs passes, and that all of them do.`;
}

function renderFailures({ arms }: BatchReport): string {
  const rows = arms
    .filter(({ figures }) => figures.failures.length > 0)
    .map(({ armId, figures }) => `- ${plain(armId, 60)}: ${plain(formatKinds(figures.failures), 400)}`);
  return rows.length === 0 ? "" : `## Why cells did not pass\n\n${rows.join("\n")}`;
}

function renderAgreement({ agreement }: Figures): string {
  if (agreement === undefined) return "";
  const { agentSucceeded, agentFailed } = agreement;
  const rows = [
    ["agent succeeded", formatCount(agentSucceeded.passed), formatCount(agentSucceeded.failed)],
    ["agent failed", formatCount(agentFailed.passed), formatCount(agentFailed.failed)],
  ];
  return table(["Agent and check", "check passed", "check failed"], rows);
}

function renderNotPassed(report: BatchReport, most: number): string {
  const wanted = findNotPassed(report);
  if (wanted.length === 0) return "";
  const left = wanted.length - most;
  const more = left > 0 ? [`… and ${formatNumberOf(left, "more cell")}.`] : [];
  return ["## Cells that did not pass", ...wanted.slice(0, most).map(renderCell), ...more].join("\n\n");
}

function renderCell(cell: ReportCell): string {
  const title = `${markSigns[markOfCell(cell)]} **${plain(nameOfCell(cell), 160)}**: ${plain(cell.reason ?? cell.kind ?? "", 300)}`;
  const command = commandFor(cell);
  const tail = (cell.setup?.isSuccess === false ? cell.setup : cell.check)?.tail.trim() ?? "";
  const run = command === undefined ? "" : `\n${codeSpan(command)}`;
  return `${title}${run}${tail === "" ? "" : `\n\n${fence(tail.slice(-tailLength))}`}`;
}
