import { lstatSync } from "node:fs";
import { extname, join } from "node:path";
import { batchPlaces } from "../../batch/places.js";
import { readBatch } from "../../batch/read-batch.js";
import { createReport, type ReportFormat, renderReport } from "../../batch/report/report.js";
import { HarnessError } from "../../errors.js";
import { hasColorSupport } from "../../outputs/text/color-support.js";
import { readRegularFile } from "../../runs/files/regular-file.js";
import { formatBytes } from "../../text/numbers.js";
import { findBatch, newestBatch } from "../batches.js";
import { complain } from "../complain.js";
import { createOutput } from "../output.js";
import { writeToFile } from "../write-to-file.js";
import type { ReportFlags } from "./command.js";
import { isReportFormat, reportExtensions } from "./report-formats.js";

/** Writes the report of a batch, whether it runs, has ended or was killed. */
export async function reportAction(id: string | undefined, flags: ReportFlags): Promise<number> {
  const { outputFile } = flags;
  const format = formatOf(flags);
  const { directory } = id === undefined ? newestBatch(flags.directory) : findBatch(id, flags.directory);
  const { state, problems } = readBatch(directory);
  for (const problem of problems) complain(`warning: ${problem}`);
  const isFile = outputFile !== undefined && outputFile !== "-";
  const isTerminal = !isFile && process.stdout.isTTY;
  const text = renderReport(createReport(state), format, {
    hasColor: hasColorSupport({ env: process.env, isTerminal }) && !isFile,
    ...(isTerminal && { width: process.stdout.columns || 80 }),
    patchOf: (cellId) => readPatch(join(batchPlaces(directory).cell(cellId), "changes.patch")),
  });
  if (!isFile) {
    await createOutput(process.stdout).write(text);
    return 0;
  }
  const size = await writeToFile(outputFile, async (output) => {
    await output.write(text);
  });
  complain(`wrote ${outputFile} (${formatBytes(size)})`);
  return 0;
}

function formatOf({ format, outputFile }: ReportFlags): ReportFormat {
  if (format !== undefined && isReportFormat(format)) return format;
  const extension = extname(outputFile ?? "").toLowerCase();
  if (extension === "") return "text";
  const found = Object.entries(reportExtensions).find(([, extensions]) =>
    extensions.includes(extension),
  )?.[0];
  if (found !== undefined && isReportFormat(found)) return found;
  const known = Object.values(reportExtensions).flat().join(" ");
  const message = `the extension of ${outputFile} does not say which format is meant; choose one with --format, or use one of ${known}`;
  throw new HarnessError("unknown_format", message);
}

/** A cell whose agent changed nothing has none. Agents can write here: a link could lead to any file, and a pipe has no end. */
function readPatch(path: string): string | undefined {
  try {
    return lstatSync(path).isFile() ? readRegularFile(path) : undefined;
  } catch {
    return undefined;
  }
}
