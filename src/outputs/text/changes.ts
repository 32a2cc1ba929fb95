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
/** Columns for the widest numbers behind a path: `new +12,345 −12,345`. */
const numberColumns = 20;
/** Columns for a path. */
const fewestColumns = 12;

/** What the run changed: a row with the sums, then a row for each of the first files. */
export function toChangeRows(summary: RunSummary, home: string | undefined, columns: number): Line[] {
  const { changes } = summary;
  if (changes === undefined) return [];
  const { files, insertions, deletions, moreFiles = 0, source } = changes;
  const isCounted = insertions + deletions > 0;
  // The agent's log does not have its edits: only the names are known.
  if (source === "edits" && !isCounted) return [];
  const outside = writtenOutside(summary, changes).map((path) => withTilde(path, home));
  if (files.length === 0 && outside.length === 0) return [];
  const count = files.length + moreFiles;
  const named = files.slice(0, maxNamed);
  const more = count - named.length;
  // In a narrow terminal the name matters more than its numbers.
  const room = Math.min(
    Math.max(columns - numberColumns, Math.min(columns, fewestColumns)),
    widest(named.map((file) => nameOf(file, summary))),
  );
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

/** What fits of a row: all of it, or its beginning without numbers that would be cut. */
function cutLine([first, ...rest]: Line, columns: number): Line {
  const isWhole = widthOf([first, ...rest].map((segment) => segment?.text ?? "").join("")) <= columns;
  const line =
    first === undefined ? [] : isWhole ? [first, ...rest] : [{ ...first, text: first.text.trimEnd() }];
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

function toFileRow(
  { kind, insertions, deletions, isBinary }: FileChange,
  name: string,
  columns: number,
): Line {
  const shown = cutMiddle(name, columns);
  const word = kindWords[kind];
  // Its mode was changed, or the agent did not say which lines.
  const isUncounted = insertions === 0 && deletions === 0;
  const numbers: Segment[] = isBinary
    ? [{ text: "binary", style: "dim" }]
    : isUncounted
      ? []
      : changedLines(insertions, deletions);
  if (word === undefined && numbers.length === 0) return [{ text: shown }];
  return [
    { text: shown + " ".repeat(Math.max(0, columns - widthOf(shown)) + 2) },
    ...(word === undefined
      ? []
      : [{ text: numbers.length === 0 ? word : `${word} `, style: "dim" } as const]),
    ...numbers,
  ];
}

function widest(names: readonly string[]): number {
  return Math.max(0, ...names.map(widthOf));
}

function dim(text: string): Line {
  return [{ text, style: "dim" }];
}
