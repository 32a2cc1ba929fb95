import type { FileChange } from "../../events/changes.js";
import type { ChangedFiles, RunSummary } from "../../story/run-summary.js";
import { cleanLine } from "../../text/cut.js";
import { formatNumberOf } from "../../text/numbers.js";
import { relativeTo } from "../../text/paths.js";
import { cutEnd, cutMiddle } from "./cut.js";
import type { Line, Segment } from "./line.js";
import { changedLines, withTilde } from "./operation-line.js";
import { widthOf } from "./width.js";

/** More files are only counted. */
const maxNamed = 8;

/** What the run changed: a row with the sums, then a row for each of the first files. */
export function toChangeRows(summary: RunSummary, home: string | undefined, columns: number): Line[] {
  const { changes } = summary;
  if (changes === undefined) return [];
  const { files, insertions, deletions, moreFiles = 0 } = changes;
  // Some agents report which files they edit, and not which lines: their names fit one row.
  if (changes.source === "edits" && insertions === 0 && deletions === 0) return [];
  const outside = writtenOutside(summary, changes).map((path) => withTilde(path, home));
  if (files.length === 0 && outside.length === 0) return [];
  const count = files.length + moreFiles;
  const named = files.slice(0, maxNamed);
  const more = count - named.length;
  const figures = widest(
    named.map((file) =>
      figuresOf(file)
        .map(({ text }) => text)
        .join(""),
    ),
  );
  const names = widest(named.map((file) => nameOf(file, summary)));
  const room = Math.max(1, Math.min(columns - figures - 2, names));
  const isCounted = insertions + deletions > 0;
  const sum: Line = [
    { text: formatNumberOf(count, "file") },
    ...(isCounted ? [{ text: " " }, ...changedLines(insertions, deletions)] : []),
  ];
  const rows = [
    ...(files.length === 0 ? [] : [sum]),
    ...named.map((file) => toFileRow(file, nameOf(file, summary), room)),
    ...(more > 0 ? [dim(`and ${more} more`)] : []),
    ...(outside.length === 0
      ? []
      : [dim(cutMiddle(`outside the repository: ${outside.join(", ")}`, columns))]),
  ];
  return rows.map((row) => cutLine(row, columns));
}

/** The beginning of a row that fits. */
function cutLine(line: Line, columns: number): Line {
  let left = columns;
  return line.flatMap((segment) => {
    const text = left > 0 ? cutEnd(segment.text, left) : "";
    left -= widthOf(text);
    return text === "" ? [] : [{ ...segment, text }];
  });
}

/** Files that the agent wrote in other places. Comparing the workspace does not show them. */
function writtenOutside({ filesWritten }: RunSummary, { root, source }: ChangedFiles): string[] {
  if (root === undefined || source === "edits") return [];
  return filesWritten
    .map(({ path }) => path)
    .filter((path) => path.startsWith("/") && path !== root && !path.startsWith(`${root}/`))
    .slice(0, maxNamed)
    .map(cleanLine);
}

function nameOf({ path, from }: FileChange, { changes, cwd }: RunSummary): string {
  const seen = (name: string): string =>
    relativeTo(changes?.root === undefined ? name : `${changes.root}/${name}`, cwd);
  return cleanLine(from === undefined ? seen(path) : `${seen(from)} → ${seen(path)}`);
}

const kindWords: Readonly<Partial<Record<FileChange["kind"], string>>> = {
  added: "new",
  deleted: "deleted",
  renamed: "renamed",
};

function toFileRow(file: FileChange, name: string, columns: number): Line {
  const shown = cutMiddle(name, columns);
  return [{ text: shown + " ".repeat(Math.max(0, columns - widthOf(shown)) + 2) }, ...figuresOf(file)];
}

/** `new +12`, `renamed`, `binary`. */
function figuresOf({ kind, insertions, deletions, isBinary }: FileChange): Segment[] {
  const word = kindWords[kind];
  // Its mode was changed, or the agent did not say which lines.
  const isUncounted = insertions === 0 && deletions === 0;
  const numbers: Segment[] = isBinary
    ? [{ text: "binary", style: "dim" }]
    : isUncounted
      ? []
      : changedLines(insertions, deletions);
  if (word === undefined) return numbers;
  return [{ text: numbers.length === 0 ? word : `${word} `, style: "dim" }, ...numbers];
}

function widest(names: readonly string[]): number {
  return Math.max(0, ...names.map(widthOf));
}

function dim(text: string): Line {
  return [{ text, style: "dim" }];
}
