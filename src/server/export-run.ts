import { HarnessError } from "../errors.js";
import type { OutputDefinition, Piece } from "../outputs/contract.js";
import { isOutputName, type OutputName, outputNames, outputOf } from "../outputs/registry.js";
import type { Recording } from "../runs/archive/recording.js";
import { createReplay } from "../runs/archive/replay.js";
import { readPatch } from "../runs/recording/read-patch.js";
import type { FindAgent } from "./find-agent.js";

/** The formats that the page offers as files. */
const fileFormats: readonly string[] = ["html", "markdown", "json"] satisfies OutputName[];

export interface ExportedRun<Body> {
  body: Body;
  type: string;
  /** The name of the file. It is made of the run's id alone. */
  name: string;
}

/** A recorded run as a file. Throws `unknown_format` for anything else than the formats above. */
export async function exportRun(
  recording: Recording,
  format: string,
  findAgent: FindAgent,
): Promise<ExportedRun<string>> {
  if (!fileFormats.includes(format))
    throw new HarnessError("unknown_format", `choose one of ${fileFormats.join(", ")}`);
  const { body, ...file } = await openExport(recording, format, findAgent);
  let text = "";
  for await (const piece of body)
    text += typeof piece === "string" ? piece : Buffer.from(piece).toString("utf8");
  return { body: text, ...file };
}

/** A recorded run in any format, in pieces of any size. Throws `unknown_format` if there is no such format. */
export async function openExport(
  recording: Recording,
  format: string,
  findAgent: FindAgent,
): Promise<ExportedRun<AsyncGenerator<string | Uint8Array>>> {
  const definition = outputNamed(format);
  const { agent, isUnknown } = findAgent(recording);
  const { meta, outcome, paths } = recording;
  const output = await definition.open({
    about: { meta, outcome },
    agentName: agent.name,
    prompt: meta.prompt,
    narrates: agent.traits.narrates,
    recording: () => paths.ndjson,
    patch: () => readPatch(paths.patch),
  });
  async function* pieces(): AsyncGenerator<string | Uint8Array> {
    for await (const steps of createReplay(recording, { agent, asRecorded: isUnknown }).batches())
      yield* flat(output.push(steps));
    yield* flat(output.end());
  }
  const { type, ending } = fileOf(definition);
  return { body: pieces(), type, name: `${recording.id}.${ending}` };
}

/** The output with a name that somebody gave. Throws `unknown_format`. */
export function outputNamed(format: string): OutputDefinition {
  if (isOutputName(format)) return outputOf(format);
  throw new HarnessError(
    "unknown_format",
    `there is no such format; choose one of ${outputNames.join(", ")}`,
  );
}

/** Pieces without those that are too long to be in memory at once. */
export function* flat(pieces: readonly Piece[]): Generator<string | Uint8Array> {
  for (const piece of pieces) {
    if (typeof piece === "string" || piece instanceof Uint8Array) yield piece;
    else yield* piece.pieces;
  }
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  json: "application/json",
  ndjson: "application/x-ndjson",
  jsonl: "application/x-ndjson",
  xml: "application/xml",
};

const plain = "text/plain; charset=utf-8";

interface FileKind {
  type: string;
  ending: string;
}

/** Outputs whose files are neither lines of JSON nor what an ending says. */
const others: Readonly<Record<string, FileKind>> = {
  // The agent's own bytes, which need not be text.
  raw: { type: "application/octet-stream", ending: "log" },
  "ui-message": { type: "text/event-stream", ending: "txt" },
};

/** What kind of file an output gives: by its ending, else lines of JSON for programs and plain text for people. */
function fileOf({ name, extensions = [], isForPeople, schema }: OutputDefinition): FileKind {
  if (Object.hasOwn(others, name)) return others[name] ?? { type: plain, ending: "txt" };
  // `.atif.json` is a file of JSON.
  const typeOf = (ending: string): string | undefined => types[ending.split(".").at(-1) ?? ""];
  const known = extensions.map((each) => each.slice(1)).find((each) => typeOf(each) !== undefined);
  const ending = known ?? (isForPeople || schema === undefined ? "txt" : "jsonl");
  return { type: typeOf(ending) ?? plain, ending };
}
