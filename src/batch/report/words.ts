import { isRunId } from "../../events/run-id.js";
import { formatCount, formatNumberOf } from "../../text/numbers.js";
import { groupBy } from "./figures.js";
import type { BatchReport, Figures, KindCount, PassRate, ReportCell } from "./schema.js";

/*
 * How the report puts its figures into words, in every form.
 */

export const statusWords: Record<BatchReport["status"], string> = {
  unfinished: "Unfinished",
  completed: "Completed",
  budget: "Stopped at its budget",
  cancelled: "Cancelled",
};

/** What a cell is to a reader: its verdict if it is done, else its status. */
export type CellMark = "passed" | "failed" | "error" | "skipped" | "running" | "waiting";

export function markOfCell({ status, verdict = "error" }: Pick<ReportCell, "status" | "verdict">): CellMark {
  if (status === "done") return verdict;
  return status === "retrying" ? "waiting" : status;
}

export const markSigns: Record<CellMark, string> = {
  passed: "✓",
  failed: "✗",
  error: "!",
  skipped: "-",
  running: "▸",
  waiting: "·",
};

/** `83 %`. Only a rate of 0 or 1 is shown as `0 %` or `100 %`. */
export function formatShare(share: number): string {
  return `${percentOf(share)} %`;
}

/** `44 to 97 %`. */
export function formatInterval({ low, high }: Pick<PassRate, "low" | "high">): string {
  return `${percentOf(low)} to ${percentOf(high)} %`;
}

function percentOf(share: number): number {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return 99;
  return rounded === 0 && share > 0 ? 1 : rounded;
}

/** Kinds that are not kinds of a failure of the agent. */
const kindWords: ReadonlyMap<string, string> = new Map([
  ["setup", "setup failed"],
  ["workspace", "no workspace"],
  ["check", "check failed"],
  ["check_timeout", "check timed out"],
]);

export function describeKind(kind: string): string {
  return kindWords.get(kind) ?? kind.replaceAll("_", " ");
}

/** `2 × rate limit, 1 × network`. */
export function formatKinds(kinds: readonly KindCount[]): string {
  return kinds.map(({ kind, count }) => `${formatCount(count)} × ${describeKind(kind)}`).join(", ");
}

/** A typical cost: `$0.31`, `$0.042`. */
export function formatTypicalCost(amount: number): string {
  return amount >= 0.1
    ? `$${amount.toFixed(2)}`
    : `$${Number(amount.toPrecision(2))
        .toFixed(4)
        .replace(/0{1,2}$/, "")}`;
}

/** `2 tasks × 3 arms × 5 repetitions`. */
export function describeSize({ tasks, arms, repeats }: BatchReport): string {
  return [
    formatNumberOf(tasks.length, "task"),
    formatNumberOf(arms.length, "arm"),
    formatNumberOf(repeats, "repetition"),
  ].join(" × ");
}

/** The cost of a typical run. `~`: all or some of them are estimates. */
export function describeCost({ median, estimated }: { median: number; estimated: number }): string {
  return `${estimated > 0 ? "~" : ""}${formatTypicalCost(median)}`;
}

/** `a`, `a and b`, `a, b and c`; the rest is counted. */
export function formatList(words: readonly string[], most = 6): string {
  const shown =
    words.length > most ? [...words.slice(0, most - 1), `${words.length - most + 1} more`] : words;
  const last = shown.at(-1) ?? "";
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(", ")} and ${last}`;
}

/** How the run of a cell is opened, if the agent was started. Only for a valid id: people paste this into a shell. */
export function commandFor({ runId, outcome, status }: ReportCell): string | undefined {
  const isStarted = outcome !== undefined || status === "running";
  return isStarted && runId !== undefined && isRunId(runId) ? `harness sessions show ${runId}` : undefined;
}

/** `80 of 80 cells done, 2 running, 1 skipped`. */
export function describeCells({ cells }: Figures): string {
  const others = (["running", "retrying", "waiting", "skipped"] as const)
    .filter((status) => cells[status] > 0)
    .map((status) => `${formatCount(cells[status])} ${status}`);
  const done = `${formatCount(cells.done)} of ${formatNumberOf(cells.planned, "cell")} done`;
  return [done, ...others].join(", ");
}

/** `57 passed, 21 failed, 2 errors`. */
export function describeVerdicts({ passed, failed, errors }: Figures): string {
  const parts = [`${formatCount(passed)} passed`, `${formatCount(failed)} failed`];
  return [...parts, ...(errors > 0 ? [formatNumberOf(errors, "error")] : [])].join(", ");
}

/** `fix-total, claude-opus, run 2`. */
export function nameOfCell({
  taskId,
  armId,
  repetition,
}: Pick<ReportCell, "taskId" | "armId" | "repetition">): string {
  return `${taskId}, ${armId}, run ${repetition}`;
}

/** Errors first: they can be repaired. Then what failed. */
export function findNotPassed({ cells }: BatchReport): ReportCell[] {
  return (["error", "failed"] as const).flatMap((mark) => cells.filter((cell) => markOfCell(cell) === mark));
}

/** The ks that every arm has pass@k for. */
export function commonKs({ arms }: BatchReport): number[] {
  const [first, ...others] = arms.map(({ figures }) => new Set(figures.passAtK.map(({ k }) => k)));
  return [...(first ?? [])].filter((k) => others.every((ks) => ks.has(k)));
}

/** `90 % / 73 %` for each k: at least one passes, all pass. */
export function describeChances({ passAtK }: Figures, ks: readonly number[]): string[] {
  return passAtK
    .filter(({ k }) => ks.includes(k))
    .map(({ atLeastOne, all }) => `${formatShare(atLeastOne)} / ${formatShare(all)}`);
}

/** The cells of a task and an arm, by `groupKey`. */
export function cellsByGroup({ cells }: BatchReport): Map<string, ReportCell[]> {
  return groupBy(cells, groupKey);
}

export function groupKey({ taskId, armId }: { taskId: string; armId: string }): string {
  return JSON.stringify([taskId, armId]);
}
