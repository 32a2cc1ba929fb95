import { acpOutput } from "./acp/output.js";
import { agUiOutput } from "./ag-ui/output.js";
import { atifOutput } from "./atif/output.js";
import { claudeOutput } from "./claude/output.js";
import type { OutputDefinition } from "./contract.js";
import { eventsOutput } from "./events/output.js";
import { fullOutput } from "./full/output.js";
import { githubOutput } from "./github/output.js";
import { htmlOutput } from "./html/output.js";
import { jsonOutput } from "./json/output.js";
import { markdownOutput } from "./markdown/output.js";
import { ndjsonOutput } from "./ndjson/output.js";
import { otlpOutput } from "./otlp/output.js";
import { rawOutput } from "./raw/output.js";
import { runEventsOutput } from "./run-events/output.js";
import { textOutput } from "./text/output.js";
import { uiMessageOutput } from "./ui-message/output.js";

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
  atifOutput,
  uiMessageOutput,
  agUiOutput,
  otlpOutput,
  githubOutput,
  acpOutput,
  claudeOutput,
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

/** The output that the name of a file asks for by its ending: `run.html`, `run.atif.json`. The longest ending counts. */
export function outputOfFile(file: string): OutputName | undefined {
  const name = file.toLowerCase();
  let found: { name: OutputName; length: number } | undefined;
  for (const definition of definitions)
    for (const { length } of (definition.extensions ?? []).filter((ending) => endsWith(name, ending)))
      if (found === undefined || length > found.length) found = { name: definition.name, length };
  return found?.name;
}

/** `.json` alone is the name of a hidden file. */
function endsWith(name: string, ending: string): boolean {
  return name.endsWith(ending) && !/(?:^|[/\\])$/.test(name.slice(0, -ending.length));
}
