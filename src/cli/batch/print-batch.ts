import { existsSync } from "node:fs";
import type { Batch } from "../../batch/batch.js";
import type { BatchState } from "../../batch/model/batch-state.js";
import { batchPlaces } from "../../batch/places.js";
import { createReport, renderReport } from "../../batch/report/report.js";
import { hasColorSupport } from "../../outputs/text/color-support.js";
import { formatCount, formatNumberOf } from "../../text/numbers.js";
import { countMissing, handleOf } from "../batches.js";
import { complain } from "../complain.js";
import { cancelOnSignals } from "../ending-signals.js";
import { exitCodeOfSignal, exitCodes } from "../exit-codes.js";
import { createOutput, type StandardOutput } from "../output.js";
import type { ResumeFlags } from "./command.js";
import { armsUnder, exitCodeOfBatch } from "./exit-code.js";
import { formatRate } from "./live-table.js";
import { createProgress, type TableTerminal } from "./progress.js";

/** Shows a batch until it ends, and then its report. Resolves to the exit code. */
export async function printBatch(
  batch: Batch,
  flags: Pick<ResumeFlags, "format" | "failUnder" | "queue" | "keep">,
): Promise<number> {
  const output = createOutput(process.stdout);
  const terminal: TableTerminal | undefined = process.stdout.isTTY ? process.stdout : undefined;
  const watch = cancelOnSignals(() => {
    batch.cancel();
    if (watch.count === 1 && terminal === undefined) complain(stopping);
  });
  output.onClose(() => batch.cancel());
  for (const warning of batch.warnings) complain(`warning: ${warning}`);
  if (flags.format === "text") await output.print(introduce(batch, flags.queue !== undefined));
  const hint = (): string =>
    watch.count > 0 ? stopping : `Ctrl-C stops it, harness batch resume ${handleOf(batch)} goes on`;
  const progress = createProgress(batch, { format: flags.format, output, terminal, hint });
  try {
    for await (const line of batch) await progress.line(line);
  } finally {
    progress.close();
  }
  const state = await batch.result;
  watch.stop();
  if (flags.format === "text") await printReport(state, output, terminal);
  const kept = `${state.head.work ?? batchPlaces(batch.directory).work}-kept`;
  if (flags.keep && existsSync(kept)) complain(`the workspaces are kept in ${kept}`);
  for (const sentence of conclusions(batch, state, flags.failUnder)) complain(sentence);
  const signal = watch.signal ?? (output.isClosed ? "SIGPIPE" : undefined);
  if (signal !== undefined && countMissing(state) > 0) return exitCodeOfSignal(signal);
  return batch.problem === undefined ? exitCodeOfBatch(state, flags.failUnder) : exitCodes.notWritten;
}

const stopping = "stopping: the runs under way are being ended. Ctrl-C again kills them";

function introduce({ batchId, directory, state }: Batch, isOnWorkers: boolean): string {
  const { plan, cells } = state.head;
  const { tasks, arms, repeats, concurrency } = plan;
  const parts = [
    formatNumberOf(tasks.length, "task"),
    formatNumberOf(arms.length, "arm"),
    formatNumberOf(repeats, "repetition"),
  ];
  const missing = countMissing(state);
  const rest = missing === cells ? "" : `; ${formatCount(missing)} of them are missing`;
  const where = isOnWorkers ? "on the workers of the queue" : `${formatCount(concurrency)} at once`;
  return `batch ${batchId}: ${formatNumberOf(cells, "run")} (${parts.join(" × ")}), ${where}${rest}\nkept in ${directory}\n`;
}

async function printReport(
  state: BatchState,
  output: StandardOutput,
  terminal: TableTerminal | undefined,
): Promise<void> {
  const hasColor = hasColorSupport({ env: process.env, isTerminal: terminal !== undefined });
  const width = terminal === undefined ? undefined : terminal.columns || 80;
  await output.write(`\n${renderReport(createReport(state), "text", { hasColor, ...(width && { width }) })}`);
}

/** What is to be known at the end, and what to do next. */
function conclusions(batch: Batch, state: BatchState, failUnder: number | undefined): string[] {
  const missing = countMissing(state);
  const counts = `${formatCount(state.cells.size - missing)} of ${formatNumberOf(state.cells.size, "cell")} done`;
  const next = `go on with: harness batch resume ${handleOf(batch)}`;
  const reasons: Readonly<Record<string, string>> = {
    cancelled: `cancelled, ${counts}; ${next}`,
    budget: `the budget is spent, ${counts}; ${next} --budget-usd AMOUNT`,
  };
  const unfinished =
    reasons[state.ended?.reason ?? ""] ?? `${formatNumberOf(missing, "cell")} could not be run; ${next}`;
  const under = failUnder === undefined ? [] : armsUnder(state, failUnder);
  return [
    ...(batch.problem === undefined ? [] : [`the batch stopped: ${batch.problem}`]),
    ...(missing > 0 ? [unfinished] : []),
    ...(under.length > 0 && missing === 0 && failUnder !== undefined
      ? [`below --fail-under ${formatRate(failUnder)}: ${under.join(", ")}`]
      : []),
  ];
}
