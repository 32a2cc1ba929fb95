import { HarnessError } from "../errors.js";
import type { Piece } from "../outputs/contract.js";
import { type OutputName, outputOf } from "../outputs/registry.js";
import type { Recording } from "../runs/archive/recording.js";
import { createReplay } from "../runs/archive/replay.js";
import { readRegularFile } from "../runs/files/regular-file.js";
import type { FindAgent } from "./find-agent.js";

/** The formats that the page offers as files, with what they are. */
const formats = {
  html: { type: "text/html; charset=utf-8", ending: "html" },
  markdown: { type: "text/markdown; charset=utf-8", ending: "md" },
  json: { type: "application/json", ending: "json" },
} as const satisfies Partial<Record<OutputName, { type: string; ending: string }>>;

type FileFormat = keyof typeof formats;

export interface ExportedRun {
  body: string;
  type: string;
  /** The name of the file. It is made of the run's id alone. */
  name: string;
}

/** A recorded run as a file. Throws `unknown_format` for anything else than the formats above. */
export async function exportRun(
  recording: Recording,
  format: string,
  findAgent: FindAgent,
): Promise<ExportedRun> {
  if (!isFileFormat(format))
    throw new HarnessError("unknown_format", `choose one of ${Object.keys(formats).join(", ")}`);
  const { agent, isUnknown } = findAgent(recording);
  const { meta, outcome, paths } = recording;
  const output = await outputOf(format).open({
    about: { meta, outcome },
    agentName: agent.name,
    prompt: meta.prompt,
    narrates: agent.traits.narrates,
    recording: () => paths.ndjson,
    patch: () => patchOf(paths.patch),
  });
  const pieces: Piece[] = [];
  for await (const steps of createReplay(recording, { agent, asRecorded: isUnknown }).batches())
    pieces.push(...output.push(steps));
  const { type, ending } = formats[format];
  const body = [...pieces, ...output.end()].map(toText).join("");
  return { body, type, name: `${recording.id}.${ending}` };
}

function isFileFormat(format: string): format is FileFormat {
  return Object.hasOwn(formats, format);
}

function patchOf(path: string): string | undefined {
  try {
    return readRegularFile(path);
  } catch {
    return undefined;
  }
}

function toText(piece: Piece): string {
  if (typeof piece === "string") return piece;
  return piece instanceof Uint8Array ? Buffer.from(piece).toString("utf8") : [...piece.pieces].join("");
}
