import type { FileChange } from "../../events/changes.js";

/** More files are counted, but not listed. */
export const maxListedFiles = 1000;

/** What git printed for `--raw --numstat -z`: first a record per file with its status, then one with its numbers. */
export function parseChanges(output: Buffer): FileChange[] {
  const fields = output.toString("utf8").split("\0");
  const files = new Map<string, FileChange>();
  let at = 0;
  while (fields[at]?.startsWith(":")) {
    const letter = /[A-Z]\d*$/.exec(fields[at] ?? "")?.[0][0] ?? "M";
    const isRenamed = letter === "R" || letter === "C";
    const first = fields[at + 1] ?? "";
    const path = isRenamed ? (fields[at + 2] ?? "") : first;
    const kind = kinds[letter] ?? "modified";
    files.set(path, { path, kind, ...(isRenamed && { from: first }), insertions: 0, deletions: 0 });
    at += isRenamed ? 3 : 2;
  }
  while (at < fields.length) {
    const [insertions = "", deletions = "", named = ""] = splitTabs(fields[at] ?? "");
    // The numbers of a renaming are followed by both paths.
    const path = named === "" ? (fields[at + 2] ?? "") : named;
    addNumbers(files.get(path), insertions, deletions);
    at += named === "" ? 3 : 1;
  }
  return [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

const kinds: Readonly<Record<string, FileChange["kind"]>> = {
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "added",
};

/** A path may have tabs of its own. */
function splitTabs(field: string): string[] {
  const first = field.indexOf("\t");
  const second = field.indexOf("\t", first + 1);
  return [field.slice(0, first), field.slice(first + 1, second), field.slice(second + 1)];
}

function addNumbers(file: FileChange | undefined, insertions: string, deletions: string): void {
  if (file === undefined) return;
  if (insertions === "-") file.isBinary = true;
  else {
    file.insertions += Number(insertions);
    file.deletions += Number(deletions);
  }
}
