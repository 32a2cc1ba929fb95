import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { HarnessError, problemOf } from "../../errors.js";
import { type OutputName, outputOf } from "../../outputs/registry.js";
import {
  isDirectoryTarget,
  type OutputTarget,
  outputTargets,
  type TargetFlags,
} from "../running/output-targets.js";

/** Where many runs are printed to. */
export interface ManyTargets {
  /** The output that goes to standard output, one run after the other. Undefined: nothing does. */
  format: OutputName | undefined;
  /** `--output html=pages/`: a file for each run. */
  directories: readonly DirectoryTarget[];
}

interface DirectoryTarget {
  name: OutputName;
  directory: string;
}

/**
 * Reads `--output` and `--format` for many runs. Directories are all that is written, unless something else is asked for.
 * `otherwise`: what is printed if nothing was asked for.
 */
export function manyTargets(flags: TargetFlags, otherwise: OutputName): ManyTargets {
  const { files, format } = outputTargets(flags, otherwise);
  for (const { name, file } of files)
    if (!isDirectoryTarget(file))
      throw invalid(
        `--output ${name}=${file} is one file, and every run needs a file of its own: write --output ${name}=DIR/`,
      );
  const isAsked = flags.format !== undefined || flags.explain || files.length < (flags.output ?? []).length;
  const printed = isAsked || files.length === 0 ? format : undefined;
  if (printed === "html")
    throw invalid(
      "each run is a page of its own: write the pages to a directory, as in --output html=pages/",
    );
  const directories = files.map(({ name, file }) => ({ name, directory: resolve(file) }));
  return { format: printed, directories };
}

function invalid(message: string): HarnessError {
  return new HarnessError("invalid_option", message);
}

/** Makes the directories. A directory that cannot be made is refused before anything is read. */
export function makeTargetDirectories({ directories }: ManyTargets): void {
  for (const { name, directory } of directories) {
    try {
      mkdirSync(directory, { recursive: true });
    } catch (error) {
      const message = `--output ${name}=${directory}/ cannot be written: ${problemOf(error)}; choose another place`;
      throw new HarnessError("unwritable_file", message, { cause: error });
    }
  }
}

/** What a run of many is called in the names of its files and in its events. */
export interface NamedRun {
  /** Without an extension, unlike that of any other run. It may have folders in it. */
  stem: string;
  files: readonly Required<OutputTarget>[];
}

/**
 * Names runs one after the other. Each call gets the stems that a run would like, the best first, and returns the first that no
 * other run has, with its files. File systems may take upper and lower case for the same, so these do not count.
 */
export function createNaming({
  directories,
}: Pick<ManyTargets, "directories">): (wishes: readonly string[]) => NamedRun {
  const taken = new Set<string>();
  const filesOf = (stem: string): NamedRun["files"] =>
    directories.map(({ name, directory }) => ({ name, file: join(directory, `${stem}${endingOf(name)}`) }));

  return (wishes) => {
    const last = wishes.at(-1) ?? "run";
    for (let number = 0; ; number++) {
      const stem = wishes[number] ?? `${last}-${number - wishes.length + 2}`;
      const files = filesOf(stem);
      const names = [stem, ...files.map(({ file }) => file)].map((name) => name.toLowerCase());
      if (names.some((name) => taken.has(name))) continue;
      for (const name of names) taken.add(name);
      return { stem, files };
    }
  };
}

/** Outputs without an extension of their own are told apart by their names. */
function endingOf(name: OutputName): string {
  const { extensions, isForPeople } = outputOf(name);
  // The lines of `ui-message` are those of an event stream, not JSON.
  return extensions?.[0] ?? `.${name}.${isForPeople || name === "ui-message" ? "txt" : "jsonl"}`;
}
