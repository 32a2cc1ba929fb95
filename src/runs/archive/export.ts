import { HarnessError } from "../../errors.js";
import type { Piece } from "../../outputs/contract.js";
import { isOutputName, type OutputName, outputNames, outputOf } from "../../outputs/registry.js";
import { readPatch } from "../recording/read-patch.js";
import { checkOfRecording } from "../recording/recorded-check.js";
import type { Recording } from "./recording.js";
import { createReplay, findRecordedAgent, type ReplayOptions } from "./replay.js";

/** What `sessions.export` writes, and how much of it. */
export interface ExportOptions extends Pick<ReplayOptions, "agent" | "asRecorded"> {
  /** Any output: `markdown`, `html`, `json`, `atif`, … */
  format: OutputName;
  /** True: nothing is left out, however long a document becomes. */
  isFull?: boolean | undefined;
}

/** Exports a recorded run as text. Outputs are loaded on demand, because most programs never use them. */
export async function exportRecording(recording: Recording, options: ExportOptions): Promise<string> {
  const { format, isFull = false } = options;
  if (!isOutputName(format)) {
    const known = outputNames.join(", ");
    throw new HarnessError("unknown_format", `cannot export as ${format}; choose one of ${known}`);
  }
  const { outcome, paths } = recording;
  const { check: _, ...facts } = recording.meta;
  const check = checkOfRecording(recording.meta);
  const meta = check === undefined ? facts : { ...facts, check };
  const agent = options.agent ?? findRecordedAgent(recording);
  const output = await outputOf(format).open({
    about: { meta, outcome },
    isFull,
    ...(agent !== undefined && { agentName: agent.name, narrates: agent.traits.narrates ?? false }),
    prompt: meta.prompt,
    agentVersion: typeof meta.agentVersion === "string" ? meta.agentVersion : undefined,
    recording: () => paths.ndjson,
    patch: () => readPatch(paths.patch),
    check: check && (() => check),
  });
  const text = createText();
  for await (const steps of createReplay(recording, options).batches()) text.add(output.push(steps));
  text.add(output.end());
  return text.read();
}

/** Pieces as one text. Bytes that are not valid UTF-8 are replaced, as in any text. */
function createText(): { add(pieces: readonly Piece[]): void; read(): string } {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  return {
    add(pieces) {
      for (const piece of pieces) {
        if (typeof piece === "string") text += piece;
        else if (piece instanceof Uint8Array) text += decoder.decode(piece);
        else for (const part of piece.pieces) text += part;
      }
    },
    read: () => text,
  };
}
