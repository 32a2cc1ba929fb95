import { extname } from "node:path";
import { type RunRecord, toHtml, toMarkdown } from "../../../export/index.js";
import { formatBytes } from "../../../export/text/numbers.js";
import { type Session, sessions } from "../../../sessions/index.js";
import { replaySession } from "../../../sessions/replay.js";
import type { HarnessEvent } from "../../../vocabulary/event.js";
import { createOutput, type Output } from "../../output.js";
import type { StreamFormat } from "../../step-writer.js";
import { writeToFile } from "./file-output.js";
import { printSession } from "./print-session.js";
import { requireRecordedAgent } from "./recorded-agent.js";

type ExportFormat = "markdown" | "html" | StreamFormat;

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
};

/** Writes a recorded run as a document or a stream, to a file or standard output. */
export async function exportAction(id: string, flags: ExportFlags): Promise<number> {
  const session = await sessions.find(id);
  const { outputFile } = flags;
  const format = flags.format ?? formatOfExtension[extname(outputFile ?? "").toLowerCase()] ?? "markdown";
  const write = await prepare(session, format, flags.full ?? false);
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
  isFull: boolean,
): Promise<(output: Output) => Promise<void>> {
  if (format !== "markdown" && format !== "html") return (output) => printSession(session, format, output);
  const run = await readRun(session);
  const text =
    format === "html"
      ? toHtml(run, { isFull })
      : toMarkdown(run, isFull ? { maxCharacters: Number.POSITIVE_INFINITY } : {});
  return async (output) => {
    await output.write(text);
  };
}

async function readRun(session: Session): Promise<RunRecord> {
  const events: HarnessEvent[] = [];
  const agent = await requireRecordedAgent(session);
  for await (const event of replaySession(session, { agent })) events.push(event);
  return { meta: session.meta, outcome: session.outcome, events };
}
