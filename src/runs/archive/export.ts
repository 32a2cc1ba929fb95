import { HarnessError } from "../../errors.js";
import type { Piece } from "../../outputs/contract.js";
import { outputOf } from "../../outputs/registry.js";
import type { Session } from "./recording.js";
import { type ReplayOptions, replaySession } from "./replay.js";

export interface ExportOptions extends Pick<ReplayOptions, "agent" | "asRecorded"> {
  format: "markdown" | "html";
  /** Leaves nothing out, however long the document becomes. */
  isFull?: boolean | undefined;
}

/** A recorded run as a document. What makes it is loaded when it is asked for: most programs never do. */
export async function exportSession(session: Session, options: ExportOptions): Promise<string> {
  const { format, isFull = false } = options;
  if (format !== "html" && format !== "markdown")
    throw new HarnessError("unknown_format", `there is no export as ${format}; choose markdown or html`);
  const about = { meta: session.meta, outcome: session.outcome };
  const output = await outputOf(format).open({ about, isFull });
  const pieces: Piece[] = [];
  for await (const steps of replaySession(session, options).batches()) pieces.push(...output.push(steps));
  return [...pieces, ...output.end()].join("");
}
