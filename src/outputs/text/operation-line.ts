import type { OperationEvent } from "../../events/operation.js";
import { describeAttempt } from "../../story/describe-operation.js";
import { hasFailed } from "../../story/outcomes.js";
import { cleanLine } from "../../text/cut.js";
import { formatCount, formatDuration, formatNumberOf } from "../../text/numbers.js";
import { type DeedRow, marks, type Note } from "./deed-line.js";
import type { EditCount } from "./edit-counts.js";
import type { Segment } from "./line.js";

/** How long it took, and whether it ended. */
export interface Pace {
  /** How long the call took. */
  duration: number | undefined;
  /** The run ended while the call was running. */
  isUnfinished: boolean;
}

export interface Circumstances extends Pace {
  /** How many lines an edit changed, if that is known. */
  edited: EditCount | undefined;
  cwd: string | undefined;
  home: string | undefined;
}

const pathTypes: ReadonlySet<string> = new Set(["read", "write", "list"]);

export function toOperationDeed(event: OperationEvent, circumstances: Circumstances): DeedRow {
  const { verb, object } = describeAttempt(event, circumstances.cwd, circumstances.isUnfinished);
  const isPath = pathTypes.has(event.type);
  return {
    mark: markOf(hasFailed(event), event.isSuccess ?? (exitCodeOf(event) === 0 ? true : undefined)),
    verb,
    object: cleanLine(isPath ? withTilde(object, circumstances.home) : object),
    isPath,
    notes: [...exitNote(event), ...editNote(circumstances.edited), ...notesOf(circumstances)],
  };
}

/** A call of which only the tool is known. */
export function toToolDeed(
  name: string,
  preview: string,
  isSuccess: boolean | undefined,
  pace: Pace,
): DeedRow {
  return {
    mark: markOf(isSuccess === false, isSuccess),
    verb: cleanLine(name),
    object: preview,
    notes: notesOf(pace),
  };
}

function markOf(isFailed: boolean, isSuccess: boolean | undefined): Segment {
  if (isFailed) return marks.failure;
  return isSuccess === undefined ? marks.open : marks.success;
}

function exitCodeOf(event: OperationEvent): number | undefined {
  return event.type === "command" ? event.exitCode : undefined;
}

function exitNote(event: OperationEvent): Segment[] {
  const exitCode = exitCodeOf(event);
  return exitCode === undefined || exitCode === 0 ? [] : [{ text: `exit ${exitCode}`, style: "failure" }];
}

function editNote(edited: EditCount | undefined): Note[] {
  if (edited === undefined) return [];
  if ("lines" in edited) return [{ text: `${formatNumberOf(edited.lines, "line")} written`, style: "dim" }];
  return [changedLines(edited.added, edited.removed)];
}

/** `+12 −3`. What is 0 is left out, unless both are. */
export function changedLines(added: number, removed: number): Segment[] {
  const parts: Segment[] = [];
  if (added > 0 || removed === 0) parts.push({ text: `+${formatCount(added)}`, style: "success" });
  if (removed > 0) parts.push({ text: `−${formatCount(removed)}`, style: "failure" });
  return parts.flatMap((part, index) => (index === 0 ? [part] : [{ text: " " }, part]));
}

/** Shorter durations are not shown. */
const shortestDuration = 100;

export function notesOf({ duration, isUnfinished }: Pace): Segment[] {
  const notes: Segment[] = isUnfinished ? [{ text: "not finished", style: "warning" }] : [];
  if (duration !== undefined && duration >= shortestDuration)
    notes.push({ text: formatDuration(duration), style: "dim" });
  return notes;
}

/** The user's own directory, as shells write it. */
export function withTilde(path: string, home: string | undefined): string {
  if (home === undefined || home === "" || home === "/") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
