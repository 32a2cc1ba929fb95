import { HarnessError } from "../../errors.js";
import type { HarnessEvent } from "../../events/event.js";
import type { RunRecord } from "../../story/run-record.js";
import type { Recording } from "./recording.js";
import { createReplay, type ReplayOptions } from "./replay.js";

export interface ExportOptions extends Pick<ReplayOptions, "agent" | "asRecorded"> {
  format: "markdown" | "html";
  /** True: nothing is left out, however long the document becomes. */
  isFull?: boolean | undefined;
}

/** Exports a recorded run as a document. The exporters are loaded on demand, because most programs never use them. */
export async function exportRecording(recording: Recording, options: ExportOptions): Promise<string> {
  const { format, isFull = false } = options;
  if (format !== "html" && format !== "markdown")
    throw new HarnessError("unknown_format", `cannot export as ${format}; choose markdown or html`);
  const run = await readRun(recording, options);
  if (format === "html") {
    const { toHtml } = await import("../../outputs/html/page.js");
    return toHtml(run, { isFull });
  }
  const { toMarkdown } = await import("../../outputs/markdown/transcript.js");
  return toMarkdown(run, isFull ? { maxCharacters: Number.POSITIVE_INFINITY } : {});
}

async function readRun(
  recording: Recording,
  options: Pick<ReplayOptions, "agent" | "asRecorded">,
): Promise<RunRecord> {
  const events: HarnessEvent[] = [];
  for await (const event of createReplay(recording, options)) events.push(event);
  return { meta: recording.meta, outcome: recording.outcome, events };
}
