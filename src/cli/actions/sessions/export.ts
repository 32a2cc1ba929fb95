import { extname } from "node:path";
import { formatBytes } from "../../../export/text/numbers.js";
import { exportSession } from "../../../sessions/export.js";
import { type Session, sessions } from "../../../sessions/index.js";
import { createOutput, type Output } from "../../output.js";
import { standardTerminal } from "../../print/printer.js";
import type { PrintFormat } from "../../step-writer.js";
import { writeToFile } from "./file-output.js";
import { printSession } from "./print-session.js";
import { requireRecordedAgent } from "./recorded-agent.js";

type ExportFormat = "html" | PrintFormat;

export interface ExportFlags {
  format?: ExportFormat;
  outputFile?: string;
  full?: boolean;
}

const formatOfExtension: Record<string, ExportFormat> = {
  ".html": "html",
  ".htm": "html",
  ".md": "markdown",
  ".markdown": "markdown",
  ".ndjson": "ndjson",
  ".json": "json",
  ".txt": "text",
};

/** Writes a recorded run as a document or a stream, to a file or standard output. */
export async function exportAction(id: string, flags: ExportFlags): Promise<number> {
  const session = await sessions.find(id);
  const { outputFile } = flags;
  const format = flags.format ?? formatOfExtension[extname(outputFile ?? "").toLowerCase()] ?? "markdown";
  const write = await prepare(session, format, flags);
  if (outputFile === undefined || outputFile === "-") {
    await write(createOutput(process.stdout));
    return 0;
  }
  const size = await writeToFile(outputFile, write);
  process.stderr.write(`harness: wrote ${outputFile} (${formatBytes(size)})\n`);
  return 0;
}

/** Everything that can fail for the recording's sake fails before a file is touched. */
async function prepare(
  session: Session,
  format: ExportFormat,
  { full, outputFile }: ExportFlags,
): Promise<(output: Output) => Promise<void>> {
  if (format !== "markdown" && format !== "html") {
    if (format !== "raw") await requireRecordedAgent(session);
    const terminal = outputFile === undefined ? standardTerminal() : undefined;
    return (output) => printSession(session, { format, output, terminal });
  }
  const agent = await requireRecordedAgent(session);
  const text = await exportSession(session, { format, agent, isFull: full });
  return async (output) => {
    await output.write(text);
  };
}
