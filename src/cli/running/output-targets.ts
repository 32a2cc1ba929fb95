import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { HarnessError } from "../../errors.js";
import {
  isOutputName,
  knownExtensions,
  type OutputName,
  outputNames,
  outputOfFile,
} from "../../outputs/registry.js";
import { suggest } from "../../text/suggest.js";
import type { OptionDeclaration } from "../declarations.js";
import { notEmpty } from "../option-values.js";
import { defaultFormat } from "../shared-options.js";

/** One output of a run, and where it goes. */
export interface OutputTarget {
  name: OutputName;
  /** Undefined: standard output. */
  file?: string;
}

/** Every place that a run is printed to. */
export interface OutputTargets {
  /** The output that goes to standard output. */
  format: OutputName;
  files: readonly Required<OutputTarget>[];
}

export const outputOption = {
  flags: "--output <name[=file]>",
  description:
    "print this output, to a file if one is named: text, json=run.json, run.html (repeatable; without a file it is for standard output)",
  parse: notEmpty,
  isRepeatable: true,
} as const satisfies OptionDeclaration;

export interface TargetFlags {
  /** `--format`, if it was given. */
  format?: OutputName | undefined;
  output?: readonly string[] | undefined;
  /** `--output-file`: a copy of what is printed. */
  outputFile?: string | undefined;
  /** The answer alone is printed. */
  quiet?: boolean | undefined;
  /** What became of each line is printed. */
  explain?: boolean | undefined;
}

/** Reads `--output` and `--format`. Throws a `HarnessError` if they cannot be meant. `otherwise`: what is printed if nothing else was asked for. */
export function outputTargets(flags: TargetFlags, otherwise: OutputName): OutputTargets {
  const targets = (flags.output ?? []).map(parseTarget);
  const files = targets.filter(hasFile);
  const printed = targets.filter((target) => !hasFile(target)).map(({ name }) => name);
  refuseTwice(files, flags.outputFile);
  refuseBeside(flags, printed);
  const wanted = flags.format === undefined ? printed : [flags.format, ...printed];
  if (wanted.length > 1)
    throw invalid(
      `standard output takes one output, not ${wanted.length} (${wanted.join(", ")}); give the others a file, as in --output ${wanted[1]}=FILE`,
    );
  return { format: wanted[0] ?? otherwise, files };
}

/** Standard output has something else already. */
function refuseBeside({ quiet, explain }: TargetFlags, printed: readonly OutputName[]): void {
  const taken = quiet ? "--quiet prints the answer" : "--explain prints what became of each line";
  if ((!quiet && !explain) || printed.length === 0) return;
  throw invalid(`${taken} and nothing else; give --output ${printed[0]} a file, or leave one of them out`);
}

/** The same for a run that is printed as it goes on. `--thinking` asks for `text`, unless standard output gets another output. */
export function printedTargets(flags: TargetFlags & { thinking?: boolean | undefined }): OutputTargets {
  if (!flags.thinking || flags.format !== "text") return outputTargets(flags, defaultFormat);
  return outputTargets({ ...flags, format: undefined }, "text");
}

function hasFile(target: OutputTarget): target is Required<OutputTarget> {
  return target.file !== undefined;
}

/** `json`, `json=run.json`, `json=-`, or `run.json`, whose ending names the output. */
function parseTarget(given: string): OutputTarget {
  const equals = given.indexOf("=");
  if (equals !== -1) return parsePair(given, given.slice(0, equals), given.slice(equals + 1));
  if (isOutputName(given)) return { name: given };
  const name = outputOfFile(given);
  return name === undefined ? refuseUnknown(given, given) : { name, file: given };
}

function parsePair(given: string, name: string, file: string): OutputTarget {
  if (!isOutputName(name)) return refuseUnknown(given, name);
  if (file.trim() === "")
    throw invalid(`--output ${given} names no file; write ${name}=FILE, or ${name} alone`);
  return file === "-" ? { name } : { name, file };
}

function refuseUnknown(given: string, name: string): never {
  const meant = suggest(name, outputNames);
  const next = meant === undefined ? "" : ` Did you mean ${meant}?`;
  throw invalid(
    `--output ${given}: there is no output "${name}"; it must be NAME, NAME=FILE, or a file that ends with ${knownExtensions.join(", ")}. The names are ${outputNames.join(", ")}.${next}`,
  );
}

/** `html=pages/`: a file for each of several runs. */
export function isDirectoryTarget(file: string): boolean {
  return file.endsWith("/") || file.endsWith(sep);
}

/** Two outputs in one file would destroy each other; in one directory, they have names of their own. `copy`: a file that is written besides. */
export function refuseTwice(files: readonly { readonly file: string }[], copy: string | undefined): void {
  const taken = new Set(copy === undefined ? [] : [identityOf(copy)]);
  for (const { file } of files) {
    if (isDirectoryTarget(file)) continue;
    const identity = identityOf(file);
    if (taken.has(identity))
      throw invalid(`two outputs cannot be written to the same file ${file}; name another one`);
    taken.add(identity);
  }
}

/** The same for every name of a file: links lead to it, too, also before it exists. */
function identityOf(file: string): string {
  const path = resolve(file);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile()) return `${stats.dev}:${stats.ino}`;
    if (stats === undefined && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      return identityOf(resolve(dirname(path), readlinkSync(path)));
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function invalid(message: string): HarnessError {
  return new HarnessError("invalid_option", message);
}
