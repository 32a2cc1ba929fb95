import { lstatSync } from "node:fs";
import { join } from "node:path";
import { batchPlaces } from "../../batch/places.js";
import { readBatch } from "../../batch/read-batch.js";
import { createReport, renderReport } from "../../batch/report/report.js";
import type { BatchReport } from "../../batch/report/schema.js";
import { hasColorSupport } from "../../outputs/text/color-support.js";
import { readRegularFile } from "../../runs/files/regular-file.js";
import { formatBytes } from "../../text/numbers.js";
import { findBatch, newestBatch } from "../batches.js";
import { complain } from "../complain.js";
import { createOutput } from "../output.js";
import { writeToFile } from "../write-to-file.js";
import type { ReportFlags } from "./command.js";
import { type ReportTarget, reportTargets } from "./report-targets.js";

/** Writes the report of a batch, in one form or several, whether it runs, has ended or was killed. */
export async function reportAction(id: string | undefined, flags: ReportFlags): Promise<number> {
  const targets = reportTargets(flags);
  const { directory } = id === undefined ? newestBatch(flags.directory) : findBatch(id, flags.directory);
  const { state, problems } = readBatch(directory);
  for (const problem of problems) complain(`warning: ${problem}`);
  const report = createReport(state);
  for (const target of targets) await write(report, target, directory);
  return 0;
}

async function write(report: BatchReport, { format, file }: ReportTarget, directory: string): Promise<void> {
  const isTerminal = file === undefined && process.stdout.isTTY;
  const text = renderReport(report, format, {
    hasColor: hasColorSupport({ env: process.env, isTerminal }) && file === undefined,
    ...(isTerminal && { width: process.stdout.columns || 80 }),
    patchOf: (cellId) => readPatch(join(batchPlaces(directory).cell(cellId), "changes.patch")),
  });
  if (file === undefined) {
    await createOutput(process.stdout).write(text);
    return;
  }
  const size = await writeToFile(file, async (output) => {
    await output.write(text);
  });
  complain(`wrote ${file} (${formatBytes(size)})`);
}

/** A cell whose agent changed nothing has none. Agents can write here: a link could lead to any file, and a pipe has no end. */
function readPatch(path: string): string | undefined {
  try {
    return lstatSync(path).isFile() ? readRegularFile(path) : undefined;
  } catch {
    return undefined;
  }
}
