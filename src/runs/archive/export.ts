import { HarnessError } from "../../errors.js";
import type { Piece } from "../../outputs/contract.js";
import { outputOf } from "../../outputs/registry.js";
import { readPatch } from "../recording/read-patch.js";
import type { Recording } from "./recording.js";
import { createReplay, type ReplayOptions } from "./replay.js";

/** What `sessions.export` writes, and how much of it. */
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
  const about = { meta: recording.meta, outcome: recording.outcome };
  const output = await outputOf(format).open({
    about,
    isFull,
    patch: () => readPatch(recording.paths.patch),
  });
  const pieces: Piece[] = [];
  for await (const steps of createReplay(recording, options).batches()) pieces.push(...output.push(steps));
  return [...pieces, ...output.end()].join("");
}
