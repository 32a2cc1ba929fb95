import type { CellState } from "../../batch/model/batch-state.js";
import { readBatch } from "../../batch/read-batch.js";
import { hasColorSupport } from "../../outputs/text/color-support.js";
import { paint } from "../../outputs/text/paint.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatNumberOf } from "../../text/numbers.js";
import { countMissing, findBatch, handleOf, newestBatch } from "../batches.js";
import { complain } from "../complain.js";
import { createOutput } from "../output.js";
import { type StoredBatch, stateOfBatch, toBatchStatus } from "./batch-status.js";
import type { StatusFlags } from "./command.js";
import { cellName } from "./figures.js";
import { toLiveTable } from "./live-table.js";

/** Prints where a batch stands, from its ledger. It may run, also in another terminal. */
export async function statusAction(id: string | undefined, flags: StatusFlags): Promise<number> {
  const { directory } = id === undefined ? newestBatch(flags.directory) : findBatch(id, flags.directory);
  const batch = { directory, ...readBatch(directory) };
  const output = createOutput(process.stdout);
  for (const problem of batch.problems) complain(`warning: ${problem}`);
  if (flags.json) await output.printJson(toBatchStatus(batch));
  else await output.write(describe(batch));
  return 0;
}

const shownReasons = 20;

function describe(batch: StoredBatch): string {
  const { state } = batch;
  const isTerminal = process.stdout.isTTY;
  const hasColors = hasColorSupport({ env: process.env, isTerminal });
  const { batchId, at } = state.head;
  const end = batch.isRunning ? Date.now() : Date.parse(state.ended?.at ?? at);
  const columns = isTerminal ? process.stdout.columns || 80 : 120;
  const table = toLiveTable(state, { now: end, since: Date.parse(at), columns, rows: 1000, hint: "" });
  const title = [{ text: `batch ${batchId}: ` }, { text: stateOfBatch(batch), style: "bold" as const }];
  const rows = [title, ...table.slice(0, -1), ...reasonRows(state.cells.values()), ...nextRows(batch)];
  return rows.map((row) => `${paint(row, hasColors).trimEnd()}\n`).join("");
}

/** Why cells have no verdict, each reason once. */
function reasonRows(cells: Iterable<CellState>): { text: string }[][] {
  const reasons = new Map<string, string[]>();
  for (const { cell, status, reason, result } of cells) {
    const why = status === "skipped" ? reason : result?.verdict === "error" ? result.reason : undefined;
    if (why === undefined) continue;
    const names = reasons.get(why) ?? [];
    reasons.set(why, names);
    names.push(cellName(cell));
  }
  const rows = [...reasons].map(([why, [first = "", ...more]]) => {
    const which = more.length === 0 ? first : `${first} and ${formatNumberOf(more.length, "other")}`;
    return [{ text: `! ${which}: ${toVisibleLine(why, 300)}` }];
  });
  const rest = rows.length - shownReasons;
  return rest > 0 ? [...rows.slice(0, shownReasons), [{ text: `and ${rest} other reasons` }]] : rows;
}

function nextRows({ state, isRunning, directory }: StoredBatch): { text: string }[][] {
  const missing = countMissing(state);
  if (isRunning || missing === 0) return [];
  const what = `${formatNumberOf(missing, "cell")} missing`;
  return [
    [
      {
        text: `${what}; go on with: harness batch resume ${handleOf({ batchId: state.head.batchId, directory })}`,
      },
    ],
  ];
}
