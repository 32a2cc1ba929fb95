/** One file of a patch. */
export interface PatchFile {
  path: string;
  kind: "added" | "modified" | "deleted" | "renamed";
  /** The path before a renaming. */
  from?: string;
  insertions: number;
  deletions: number;
  isBinary?: true;
  /** The hunks, without the header of the file. Lines begin with `@`, `+`, `-`, a space or a backslash. */
  text: string;
}

const fileStart = "diff --git ";

/** The files of a patch as git writes it. Text that is not such a patch has no files. Never throws. */
export function splitPatch(patch: string): PatchFile[] {
  const files: PatchFile[] = [];
  let at = patch.startsWith(fileStart) ? 0 : nextStart(patch, 0);
  while (at !== -1) {
    const next = nextStart(patch, at);
    files.push(parseFile(patch.slice(at, next === -1 ? patch.length : next)));
    at = next;
  }
  return files;
}

function nextStart(patch: string, from: number): number {
  const found = patch.indexOf(`\n${fileStart}`, from);
  return found === -1 ? -1 : found + 1;
}

function parseFile(section: string): PatchFile {
  const hunks = section.search(/^(?:@@ |GIT binary patch$)/m);
  const head = hunks === -1 ? section : section.slice(0, hunks);
  const text = hunks === -1 ? "" : section.slice(hunks);
  const isBinary = /^(?:Binary files |GIT binary patch$)/m.test(hunks === -1 ? head : text.slice(0, 40));
  const to = nameOf(head, /^\+\+\+ (.+)$/m) ?? nameOf(head, /^rename to (.+)$/m);
  const from = nameOf(head, /^--- (.+)$/m) ?? nameOf(head, /^rename from (.+)$/m);
  const path = to ?? from ?? pathOfFirstLine(head);
  const isRenamed = /^rename to /m.test(head);
  return {
    path,
    kind: isRenamed
      ? "renamed"
      : /^new file mode /m.test(head)
        ? "added"
        : /^deleted file mode /m.test(head)
          ? "deleted"
          : "modified",
    ...(isRenamed && from !== undefined && { from }),
    ...(isBinary ? { insertions: 0, deletions: 0, isBinary: true, text: "" } : { ...countLines(text), text }),
  };
}

/** The name behind a mark, without `a/` or `b/`. `/dev/null` is not a name. */
function nameOf(head: string, mark: RegExp): string | undefined {
  const name = unquote(withoutTabs(mark.exec(head)?.[1]));
  if (name === undefined || name === "/dev/null") return undefined;
  return mark.source.startsWith("^rename") ? name : name.replace(/^[ab]\//, "");
}

/** Git ends a name that has spaces with a tab. */
function withoutTabs(name: string | undefined): string | undefined {
  let end = name?.length ?? 0;
  while (end > 0 && (name?.[end - 1] === "\t" || name?.[end - 1] === "\r")) end -= 1;
  return name?.slice(0, end);
}

/** `diff --git a/x b/x`: both halves are the same, unless the file was renamed. */
function pathOfFirstLine(head: string): string {
  const line = head.slice(fileStart.length, head.includes("\n") ? head.indexOf("\n") : undefined);
  // A quote inside of quotes has a backslash before it.
  const quoted = line.endsWith('"') ? line.slice(line.lastIndexOf(' "') + 1) : "";
  if (quoted.length > 1) return (unquote(quoted) ?? line).replace(/^b\//, "");
  return line.slice(Math.ceil(line.length / 2)).replace(/^b\//, "");
}

/** Git quotes names with unusual characters as C does: `"b/t\303\244st"`. */
function unquote(name: string | undefined): string | undefined {
  if (name === undefined || !/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  const add = (text: string): void => {
    for (const byte of encoder.encode(text)) bytes.push(byte);
  };
  for (const [part] of name.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/g)) {
    if (/^\\\d/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8) & 255);
    else add(part.startsWith("\\") ? (escapes[part] ?? part.slice(1)) : part);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const escapes: Readonly<Record<string, string>> = { "\\t": "\t", "\\n": "\n", "\\r": "\r" };

/** How many lines were added and removed. */
export function countLines(hunks: string): { insertions: number; deletions: number } {
  let insertions = 0;
  let deletions = 0;
  for (let at = 0; at !== -1 && at < hunks.length; ) {
    const sign = hunks.charCodeAt(at);
    if (sign === 43) insertions += 1;
    else if (sign === 45) deletions += 1;
    const end = hunks.indexOf("\n", at);
    at = end === -1 ? -1 : end + 1;
  }
  return { insertions, deletions };
}
