import { type LineSelection, narrow, uncountable } from "./line-selection.js";
import type { ShellPipeline, SimpleCommand } from "./parse-script.js";
import { programName } from "./program-name.js";
import { filters } from "./programs/filters.js";
import { finders, matchers } from "./programs/finders.js";
import { readers } from "./programs/readers.js";
import { isStandardInput } from "./programs/search-words.js";
import type { ReadOperation, ShellOperation } from "./shell-operation.js";
import { literalText, type ShellWord } from "./shell-word.js";

/**
 * The operations of one pipeline: those of its first command, if the others are filters that read the pipe. Undefined if
 * that is not certain.
 */
export function classifyPipeline(pipeline: ShellPipeline): readonly ShellOperation[] | undefined {
  const [first, ...rest] = pipeline;
  const name = nameOf(first);
  const operations = readers.has(name)
    ? toReads(first, rest)
    : rest.every(isFilter) && finders.get(name)?.(first);
  if (!operations) return undefined;
  return matchers.has(name) ? operations.map(withoutFailureOnOne) : operations;
}

function withoutFailureOnOne(operation: ShellOperation): ShellOperation {
  return { ...operation, exitsOneOnNoMatch: true };
}

/** A file counts as read in the lines that reached the end of the pipe, as long as filters only count lines. */
function toReads(first: SimpleCommand, rest: readonly SimpleCommand[]): readonly ReadOperation[] | undefined {
  const reading = readers.get(nameOf(first))?.(first.words);
  const paths = reading && toPaths(reading.files, first.input);
  if (!reading || !paths) return undefined;
  let lines: LineSelection = paths.length > 1 ? uncountable(reading.lines) : reading.lines;
  for (const command of rest) {
    if (!isFilter(command)) return undefined;
    const filtered = readers.get(nameOf(command))?.(command.words);
    lines = filtered ? narrow(lines, filtered.lines) : uncountable(lines);
  }
  return paths.flatMap((path) =>
    lines.ranges.map((range): ReadOperation => ({ type: "read", path, ...range })),
  );
}

/** Standard input is a file only if `<` names one. */
function toPaths(files: readonly ShellWord[], input: string | undefined): readonly string[] | undefined {
  if ((files.length === 0) === (input === undefined)) return undefined;
  const paths = input === undefined ? files.map(literalText) : [input];
  return paths.every(isFilePath) ? paths : undefined;
}

/** A device is not a file: `head -c 9 /dev/urandom` generates data. */
function isFilePath(path: string | undefined): path is string {
  return path !== undefined && path !== "-" && !path.startsWith("/dev/");
}

function isFilter(command: SimpleCommand): boolean {
  if (command.input !== undefined) return false;
  const name = nameOf(command);
  const reader = readers.get(name);
  if (reader) return reader(command.words)?.files.every(isStandardInput) ?? false;
  return filters.get(name)?.(command) ?? false;
}

function nameOf({ program }: SimpleCommand): string {
  return programName(program) ?? "";
}
