import type { JsonValue } from "../text/json.js";
import { isAbsolutePath, resolvePath } from "../text/paths.js";
import { createRecent } from "../text/recent.js";
import { addEdit, type EditedFile, nothing, patchOf, toFileChange, toPatchFile } from "./edited-file.js";
import { type CallContents, diffInResult, type Edit, editsOfCall } from "./edits-of-call.js";
import { hasFailed } from "./outcomes.js";
import type { PatchFile } from "./patch-files.js";
import { createRefusedCalls } from "./refused-calls.js";
import type { ChangedFiles, SummaryEvent, SummaryEventOf } from "./run-summary.js";

/** Gathers what a run changed: what git found, else what the edits of the agent said. */
export interface ChangesSoFar {
  add(event: SummaryEvent): void;
  /** Undefined if nothing is known. */
  read(): ChangedFiles | undefined;
  /** What the edits said, file by file, whatever git says. With their lines only if these are kept. */
  files(): PatchFile[];
  /** The edits as a patch to read. Undefined if no lines are known. Longer ones are cut after a whole file. */
  patch(maxCharacters: number): string | undefined;
}

/** Of other files only the numbers are kept, unless there is to be a patch. */
const maxListedFiles = 10_000;
/** Calls that have not written yet. */
const maxOpen = 64;
/** Writes are looked at when somebody asks, or when so many have come that they take too much room. */
const maxWaiting = 500;
/** The same for the characters of their calls: a call may have a whole file. */
const maxWaitingCharacters = 1_000_000;

interface Written {
  path: string;
  call: Call | undefined;
  wasRead: boolean;
}

interface Call extends CallContents {
  /** Its characters are counted among those that wait. */
  isCounted?: true;
  /** Those that no file has taken yet. */
  edits?: Edit[];
  /** How many files the edits name. */
  named?: number;
  moved?: Pick<Edit, "path" | "to">[];
}

export interface ChangesOptions {
  /** Only the numbers are kept otherwise. */
  keepsPatch?: boolean;
}

export function createChangedFiles({ keepsPatch = false }: ChangesOptions = {}): ChangesSoFar {
  const calls = new Map<string, Call>();
  const refused = createRefusedCalls();
  /** Files that were read lately. An agent that replaces a file has read it a moment before. */
  const read = createRecent<string>();
  const files = new Map<string, EditedFile>();
  const others = createUnlistedFiles();
  let waiting: Written[] = [];
  let waitingCharacters = 0;
  let cwd: string | undefined;
  let git: ChangedFiles | undefined;

  function settle(): void {
    for (const { path: written, call, wasRead } of waiting) {
      if (call !== undefined) findEdits(call);
      const path = pathBefore(written, call, cwd);
      const own = call === undefined ? [] : takeEdits(call, path, cwd);
      const known = files.get(path);
      const file = known ?? { path, isNew: !wasRead && own[0]?.kind === "whole", ...nothing() };
      const isListed = known !== undefined || keepsPatch || files.size < maxListedFiles;
      if (isListed) files.set(path, file);
      for (const edit of own) addEdit(file, edit, { keepsPatch, cwd });
      if (!isListed) others.add(file);
    }
    waiting = [];
    waitingCharacters = 0;
  }

  function wait(written: Written): void {
    const { call } = written;
    // The result of the last call may still come, with a diff.
    if (waitingCharacters > maxWaitingCharacters && waiting.at(-1)?.call !== call) settle();
    waiting.push(written);
    if (call !== undefined && call.edits === undefined && call.isCounted === undefined) {
      call.isCounted = true;
      waitingCharacters += charactersIn(call.input);
    }
    if (waiting.length >= maxWaiting) settle();
  }

  function addDiff(call: Call, { output }: SummaryEventOf<"tool_end">): void {
    // Its edits are known.
    if (call.edits !== undefined) return;
    call.diff = diffInResult(output);
    if (call.isCounted) waitingCharacters += call.diff?.length ?? 0;
  }

  function add(event: SummaryEvent): void {
    refused.add(event);
    if (event.type === "started" || event.type === "session") cwd = event.cwd || cwd;
    else if (event.type === "tool_start") remember(calls, event);
    else if (event.type === "tool_end") {
      const call = calls.get(event.callId);
      if (call !== undefined) addDiff(call, event);
    } else if (event.type === "read") read.set(event.path, true);
    else if (event.type === "changes") git = gitChangesOf(event);
    else if (event.type === "write" && !hasFailed(event) && !refused.has(event)) {
      const { path, callId } = event;
      const call = callId === undefined ? undefined : calls.get(callId);
      wait({ path, call, wasRead: read.has(path) });
    }
  }

  return {
    add,
    read() {
      if (git !== undefined) return git;
      settle();
      return files.size === 0 ? undefined : editedFiles([...files.values()], others, cwd);
    },
    files() {
      settle();
      return [...files.values()].map((file) => toPatchFile(file, cwd)).sort(byPath);
    },
    patch(maxCharacters) {
      settle();
      return patchOf([...files.values()], cwd, maxCharacters) || undefined;
    },
  };
}

/** An agent may use an id again. */
function remember(calls: Map<string, Call>, { callId, name, input }: SummaryEventOf<"tool_start">): void {
  calls.delete(callId);
  calls.set(callId, { name, input });
  const [oldest] = calls.keys();
  if (calls.size > maxOpen && oldest !== undefined) calls.delete(oldest);
}

function charactersIn(input: JsonValue | undefined): number {
  let characters = 0;
  const open = [input];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") characters += value.length;
    else if (typeof value === "object" && value !== null)
      for (const item of Object.values(value)) open.push(item);
  }
  return characters;
}

/** Afterwards nothing else is kept of what the call said. */
function findEdits(call: Call): void {
  if (call.edits !== undefined) return;
  call.edits = editsOfCall(call);
  call.named = new Set(call.edits.map(({ path }) => path)).size;
  call.moved = call.edits.flatMap(({ path, to }) => (to === undefined ? [] : [{ path, to }]));
  call.input = undefined;
  call.diff = undefined;
}

/** Where a file was before the call moved it. */
function pathBefore(path: string, call: Call | undefined, cwd: string | undefined): string {
  const move = call?.moved?.find(({ to = "" }) => isSame(to, path, cwd));
  return move?.path === undefined ? path : resolvePath(move.path, cwd);
}

/** Takes the edits of a file out of those of its call. Edits without a path belong to the first file that is written. */
function takeEdits({ edits = [], named = 0 }: Call, path: string, cwd: string | undefined): Edit[] {
  const own = edits.filter(({ path: of }) => of === undefined || isSame(of, path, cwd));
  // With one file only, whatever it is called there.
  const taken = own.length === 0 && named === 1 ? [...edits] : own;
  for (const edit of taken) edits.splice(edits.indexOf(edit), 1);
  return taken;
}

function isSame(named: string, path: string, cwd: string | undefined): boolean {
  return (
    named === path || resolvePath(named, cwd) === path || path.endsWith(`/${named.replace(/^\.\//, "")}`)
  );
}

function byPath(one: { path: string }, other: { path: string }): number {
  return one.path < other.path ? -1 : 1;
}

/** The numbers of files that are not listed, because there are too many. One that is edited again much later counts twice. */
interface UnlistedFiles {
  add(file: EditedFile): void;
  readonly count: number;
  readonly insertions: number;
  readonly deletions: number;
}

function createUnlistedFiles(): UnlistedFiles {
  const counted = createRecent<string>();
  const others = {
    count: 0,
    insertions: 0,
    deletions: 0,
    add({ path, insertions, deletions }: EditedFile): void {
      if (!counted.has(path)) others.count += 1;
      counted.set(path, true);
      others.insertions += insertions;
      others.deletions += deletions;
    },
  };
  return others;
}

function editedFiles(
  files: readonly EditedFile[],
  others: UnlistedFiles,
  cwd: string | undefined,
): ChangedFiles {
  const root = cwd !== undefined && isAbsolutePath(cwd) ? cwd : undefined;
  const listed = files.map((file) => toFileChange(file, root)).sort(byPath);
  const sum = (key: "insertions" | "deletions"): number =>
    listed.reduce((all, file) => all + file[key], others[key]);
  return {
    source: "edits",
    ...(root !== undefined && { root }),
    files: listed,
    insertions: sum("insertions"),
    deletions: sum("deletions"),
    ...(others.count > 0 && { moreFiles: others.count }),
  };
}

/** What the edits of a run said, file by file with their lines. */
export function filesOfEdits(events: Iterable<SummaryEvent>): PatchFile[] {
  const changed = createChangedFiles({ keepsPatch: true });
  for (const event of events) changed.add(event);
  return changed.files();
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
