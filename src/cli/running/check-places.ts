import { accessSync, constants, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { HarnessError, problemOf, systemCode } from "../../errors.js";
import { refuseForeign } from "../../runs/files/open-file.js";
import { eventsFileName, rawFileName } from "../../runs/recording/paths.js";
import type { OutputTargets } from "./output-targets.js";

/**
 * Refuses paths that cannot be written, before anything is started. Nothing is created here. A problem that shows later
 * (a full disk) does not end a run.
 */
export function checkPlaces(
  flags: { readonly outputFile?: string | undefined; readonly record?: string | undefined },
  { files }: Pick<OutputTargets, "files">,
): void {
  for (const { name, file } of files) check(`--output ${name}=`, file, checkFile);
  if (flags.outputFile !== undefined) check("--output-file", flags.outputFile, checkFile);
  if (flags.record !== undefined) check("--record", flags.record, checkDirectory);
}

function check(option: string, path: string, look: (path: string) => void): void {
  try {
    look(path);
  } catch (error) {
    const message = `${option}${option.endsWith("=") ? "" : " "}${path} cannot be written: ${problemOf(error)}; choose another place`;
    throw new HarnessError("unwritable_file", message, { cause: error });
  }
}

/** An existing file, or a new one in an existing directory. */
function checkFile(given: string): void {
  if (given === "-") throw new Error("what is printed is on standard output anyway");
  const path = resolve(given);
  refuseForeign(path);
  const found = statOf(path);
  if (found?.isDirectory()) throw new Error("it is a directory, not a file");
  accessSync(found === undefined ? dirname(path) : path, constants.W_OK);
}

/** An existing directory, or one that can be created, with those above it. */
function checkDirectory(given: string): void {
  const path = resolve(given);
  const found = statOf(path);
  if (found === undefined) checkDirectory(dirname(path));
  else if (!found.isDirectory()) throw new Error(`${path} is a file, not a directory`);
  else {
    accessSync(path, constants.W_OK);
    for (const name of [rawFileName, eventsFileName]) refuseIfNoFile(join(path, name));
  }
}

/** An existing file is replaced. Anything else with that name is refused. */
function refuseIfNoFile(path: string): void {
  if (statOf(path)?.isFile() === false) throw new Error(`${path} exists and is not a file`);
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
