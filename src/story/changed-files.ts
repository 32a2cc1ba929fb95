import type { FileChange } from "../events/changes.js";
import type { JsonValue } from "../text/json.js";
import { isAbsolutePath, relativeTo, resolvePath } from "../text/paths.js";
import { type Edit, editsOfCall } from "./edits-of-call.js";
import { hasFailed } from "./outcomes.js";
import { createRefusedCalls } from "./refused-calls.js";
import type { ChangedFiles, SummaryEvent, SummaryEventOf } from "./run-summary.js";

/** Gathers what a run changed: what git found, else what the edits of the agent said. */
export interface ChangesSoFar {
  add(event: SummaryEvent): void;
  /** Undefined if nothing is known. */
  read(): ChangedFiles | undefined;
  /** The edits as a patch to read. Undefined if there are none. Longer ones are cut after a whole file. */
  patch(maxCharacters: number): string | undefined;
}

/** Inputs of calls that have not written yet. */
const maxOpen = 64;
/** Writes are looked at when somebody asks, or when so many have come that they take too much room. */
const maxWaiting = 500;

interface Written {
  path: string;
  edits: () => Edit[];
  wasRead: boolean;
}

export interface ChangesOptions {
  /** Only the numbers are kept otherwise. */
  keepsPatch?: boolean;
}

export function createChangedFiles({ keepsPatch = false }: ChangesOptions = {}): ChangesSoFar {
  const inputs = new Map<string, JsonValue | undefined>();
  const editsOf = new Map<string, Edit[]>();
  const refused = createRefusedCalls();
  const read = new Set<string>();
  const files = new Map<string, EditedFile>();
  let waiting: Written[] = [];
  let cwd: string | undefined;
  let git: ChangedFiles | undefined;

  /** The edits of a call, each of which belongs to one file. */
  function editsFor(callId: string, input: JsonValue | undefined): Edit[] {
    const edits = editsOf.get(callId) ?? editsOfCall(input);
    editsOf.set(callId, edits);
    return edits;
  }

  function write(event: SummaryEventOf<"write">): void {
    const { path, callId } = event;
    const input = callId === undefined ? undefined : inputs.get(callId);
    waiting.push({
      path,
      edits: () => (callId === undefined ? [] : editsFor(callId, input)),
      wasRead: read.has(path),
    });
    if (waiting.length >= maxWaiting) settle();
  }

  function settle(): void {
    for (const { path, edits, wasRead } of waiting) {
      const own = takeEdits(edits(), path, cwd);
      const file = files.get(path) ?? { path, isNew: !wasRead && own[0]?.kind === "whole", ...nothing() };
      files.set(path, file);
      for (const edit of own) addEdit(file, edit, { keepsPatch, cwd });
    }
    waiting = [];
    editsOf.clear();
  }

  return {
    add(event) {
      refused.add(event);
      if (event.type === "started" && event.cwd !== "") cwd ??= event.cwd;
      else if (event.type === "tool_start") remember(inputs, event);
      else if (event.type === "read") read.add(event.path);
      else if (event.type === "changes") git = gitChangesOf(event);
      else if (event.type === "write" && !hasFailed(event) && !refused.has(event)) write(event);
    },
    read() {
      if (git !== undefined) return git;
      settle();
      return files.size === 0 ? undefined : editedFiles([...files.values()], cwd);
    },
    patch(maxCharacters) {
      settle();
      return files.size === 0 ? undefined : patchOf([...files.values()], cwd, maxCharacters);
    },
  };
}

function remember(inputs: Map<string, JsonValue | undefined>, event: SummaryEventOf<"tool_start">): void {
  inputs.delete(event.callId);
  inputs.set(event.callId, event.input);
  const [oldest] = inputs.keys();
  if (inputs.size > maxOpen && oldest !== undefined) inputs.delete(oldest);
}

interface EditedFile {
  path: string;
  /** The first that was said about it is its whole content, and it was not read before. */
  isNew: boolean;
  isDeleted: boolean;
  to: string | undefined;
  insertions: number;
  deletions: number;
  parts: string[];
}

function nothing(): Omit<EditedFile, "path" | "isNew"> {
  return { isDeleted: false, to: undefined, insertions: 0, deletions: 0, parts: [] };
}

/** Takes the edits of a file out of those of its call. Edits without a path belong to the first file that is written. */
function takeEdits(edits: Edit[], path: string, cwd: string | undefined): Edit[] {
  const isOwn = ({ path: named, to }: Edit): boolean =>
    named === undefined || isSame(named, path, cwd) || (to !== undefined && isSame(to, path, cwd));
  const own = edits.filter(isOwn);
  // With one file only, whatever it is called there.
  const taken = own.length === 0 && edits.every((edit) => edit.path === edits[0]?.path) ? [...edits] : own;
  for (const edit of taken) edits.splice(edits.indexOf(edit), 1);
  return taken;
}

function isSame(named: string, path: string, cwd: string | undefined): boolean {
  return (
    named === path || resolvePath(named, cwd) === path || path.endsWith(`/${named.replace(/^\.\//, "")}`)
  );
}

function addEdit(
  file: EditedFile,
  { kind, lines, to }: Edit,
  { keepsPatch, cwd }: { keepsPatch: boolean; cwd: string | undefined },
): void {
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  file.isDeleted = kind === "deleted";
  if (to !== undefined) file.to = resolvePath(to, cwd);
  if (kind === "whole" && file.isNew) {
    // The content replaces what the file had before.
    file.insertions = 0;
    file.parts = [];
  }
  file.insertions += count("+");
  file.deletions += count("-");
  if (keepsPatch && lines.length > 0) file.parts.push(withHunks(lines, file.isNew && kind === "whole"));
}

function withHunks(lines: readonly string[], isNew: boolean): string {
  const header = isNew ? [`@@ -0,0 +1,${lines.length} @@`] : ["@@"];
  return [...(lines[0]?.startsWith("@@") ? [] : header), ...lines].join("\n");
}

function editedFiles(files: readonly EditedFile[], cwd: string | undefined): ChangedFiles {
  const root = cwd !== undefined && isAbsolutePath(cwd) ? cwd : undefined;
  const listed = files.map((file): FileChange => {
    const { insertions, deletions, to } = file;
    const path = relativeTo(file.path, root);
    const isMoved = to !== undefined && to !== file.path;
    const numbers = { insertions, deletions };
    if (isMoved) return { path: relativeTo(to, root), kind: "renamed", from: path, ...numbers };
    return { path, kind: kindOf(file), ...numbers };
  });
  const sum = (key: "insertions" | "deletions"): number => listed.reduce((all, file) => all + file[key], 0);
  return {
    source: "edits",
    ...(root !== undefined && { root }),
    files: listed.sort((one, other) => (one.path < other.path ? -1 : 1)),
    insertions: sum("insertions"),
    deletions: sum("deletions"),
  };
}

function kindOf({ isNew, isDeleted }: EditedFile): FileChange["kind"] {
  if (isDeleted) return "deleted";
  return isNew ? "added" : "modified";
}

function patchOf(files: readonly EditedFile[], cwd: string | undefined, maxCharacters: number): string {
  let text = "";
  for (const file of files) {
    const path = relativeTo(file.path, cwd).replace(/^\//, "");
    const to = file.to === undefined ? path : relativeTo(file.to, cwd).replace(/^\//, "");
    const before = file.isNew ? "/dev/null" : `a/${path}`;
    const after = file.isDeleted ? "/dev/null" : `b/${to}`;
    const head = [`diff --git a/${path} b/${to}`, `--- ${before}`, `+++ ${after}`];
    const part = `${[...head, ...file.parts].join("\n")}\n`;
    if (text.length + part.length > maxCharacters) return text;
    text += part;
  }
  return text;
}

/**
 * What the edits of a run said, as a patch to read: it cannot be applied, because nobody knows what else was in the files. Undefined if
 * there are none.
 */
export function patchOfEdits(events: Iterable<SummaryEvent>, maxCharacters = 1_000_000): string | undefined {
  const changed = createChangedFiles({ keepsPatch: true });
  for (const event of events) changed.add(event);
  return changed.patch(maxCharacters);
}

function gitChangesOf(event: SummaryEventOf<"changes">): ChangedFiles {
  const { root, commit, files, insertions, deletions, moreFiles, isCut } = event;
  return {
    source: "git",
    root,
    ...(commit !== undefined && { commit }),
    files,
    insertions,
    deletions,
    ...(moreFiles !== undefined && { moreFiles }),
    ...(isCut && { isCut }),
  };
}
