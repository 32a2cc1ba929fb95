import type { OutputDefinition } from "./contract.js";
import { eventsOutput } from "./events/output.js";
import { fullOutput } from "./full/output.js";
import { htmlOutput } from "./html/output.js";
import { jsonOutput } from "./json/output.js";
import { markdownOutput } from "./markdown/output.js";
import { ndjsonOutput } from "./ndjson/output.js";
import { rawOutput } from "./raw/output.js";
import { runEventsOutput } from "./run-events/output.js";
import { textOutput } from "./text/output.js";

/** Every output, in the order that help texts list them. The choices of `--format`, the docs and the tests read this list. */
export const outputs = [
  textOutput,
  eventsOutput,
  ndjsonOutput,
  runEventsOutput,
  fullOutput,
  jsonOutput,
  rawOutput,
  markdownOutput,
  htmlOutput,
] as const satisfies readonly OutputDefinition[];

export type OutputName = (typeof outputs)[number]["name"];

export const outputNames: readonly OutputName[] = outputs.map(({ name }) => name);

export function isOutputName(name: string): name is OutputName {
  return outputs.some((output) => output.name === name);
}

const definitions: readonly (OutputDefinition & { name: OutputName })[] = outputs;

/** Endings of file names that some output has. */
export const knownExtensions: readonly string[] = definitions.flatMap(({ extensions = [] }) => extensions);

/** The output with this name. */
export function outputOf(name: OutputName): OutputDefinition {
  const found = outputs.find((output) => output.name === name);
  if (found === undefined) throw new TypeError(`there is no output ${name}`);
  return found;
}

/** The output that a file name asks for by its ending, such as `run.html`. */
export function outputOfExtension(extension: string): OutputName | undefined {
  return definitions.find(({ extensions = [] }) => extensions.includes(extension))?.name;
}
