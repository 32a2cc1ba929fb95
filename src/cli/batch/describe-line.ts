import type { BatchState } from "../../batch/model/batch-state.js";
import type { CellVerdict } from "../../batch/model/cell.js";
import type { LedgerLine } from "../../batch/model/ledger-line.js";
import type { Line, Style } from "../../outputs/text/line.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatDuration, formatUsd } from "../../text/numbers.js";
import { cellName } from "./figures.js";

/** The longest reason that is quoted. The report has all of it. */
const maxReason = 200;

const verdictSigns: Readonly<Record<CellVerdict, readonly [sign: string, style: Style]>> = {
  passed: ["✓ passed", "success"],
  failed: ["✗ failed", "failure"],
  error: ["! error ", "warning"],
};

/** A change of a batch as one row for people. Undefined: it is not worth a row. `ended` cells are counted in front. */
export function describeLine(line: LedgerLine, state: BatchState, ended?: number): Line | undefined {
  if (line.type === "done") {
    const [sign, style] = verdictSigns[line.verdict];
    return [
      { text: ended === undefined ? "" : `${countOf(ended, state)} `, style: "dim" },
      { text: sign, style },
      { text: `  ${nameOf(line.cellId, state)}` },
      { text: factsOf(line), style: "dim" },
      { text: line.reason === undefined ? "" : `  ${toVisibleLine(line.reason, maxReason)}` },
    ];
  }
  if (line.type === "retrying") {
    const wait = formatDuration(Math.max(0, Date.parse(line.until) - Date.parse(line.at)));
    const why = `${line.failure.kind}: ${toVisibleLine(line.failure.message, maxReason)}`;
    return [
      { text: "… again ", style: "warning" },
      { text: `  ${nameOf(line.cellId, state)}` },
      { text: `  in ${wait}: ${why}`, style: "dim" },
    ];
  }
  if (line.type !== "agent_stopped") return undefined;
  const { kind, message } = line.failure;
  const text = `${line.agent} is stopped: its first cells all failed (${kind}: ${toVisibleLine(message, maxReason)}). Its other cells are skipped.`;
  return [{ text, style: "failure" }];
}

function nameOf(cellId: string, { cells }: BatchState): string {
  const found = cells.get(cellId);
  return found === undefined ? cellId : cellName(found.cell);
}

/** `[12/20]`, as wide for every cell. */
function countOf(ended: number, { cells: { size } }: BatchState): string {
  return `[${String(ended).padStart(String(size).length)}/${size}]`;
}

function factsOf({
  startedAt,
  endedAt,
  costUsd,
  attempts,
  worker,
}: Extract<LedgerLine, { type: "done" }>): string {
  const facts = [
    formatDuration(Date.parse(endedAt) - Date.parse(startedAt)),
    ...(costUsd === undefined ? [] : [formatUsd(costUsd)]),
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
    ...(worker === undefined ? [] : [`on ${worker}`]),
  ];
  return `  ${facts.join("  ")}`;
}
