import type { OperationEvent } from "../../events/operation.js";
import { describeDeed } from "../../story/describe-operation.js";
import { hasFailed } from "../../story/outcomes.js";
import { cleanLine } from "../../text/cut.js";
import { formatDuration } from "../../text/numbers.js";
import { type DeedRow, marks } from "./deed-line.js";
import type { Segment } from "./line.js";

/** How long it took, and whether it ended. */
export interface Pace {
  /** How long the call took. */
  duration: number | undefined;
  /** The run ended while the call was running. */
  isUnfinished: boolean;
}

export interface Circumstances extends Pace {
  cwd: string | undefined;
  home: string | undefined;
}

const pathTypes: ReadonlySet<string> = new Set(["read", "write", "list"]);

export function toOperationDeed(event: OperationEvent, circumstances: Circumstances): DeedRow {
  const { verb, object } = describeDeed(event, circumstances.cwd);
  const isPath = pathTypes.has(event.type);
  return {
    mark: markOf(hasFailed(event), event.isSuccess ?? (exitCodeOf(event) === 0 ? true : undefined)),
    verb,
    object: cleanLine(isPath ? withTilde(object, circumstances.home) : object),
    isPath,
    notes: [...exitNote(event), ...notesOf(circumstances)],
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
