import { formatDuration } from "../export/text/numbers.js";
import { describeDeed, isFailedOperation } from "../export/timeline/describe-operation.js";
import type { OperationEvent } from "../formats/run-events/activity.js";
import type { Call } from "./calls.js";
import { cleanLine } from "./clean-text.js";
import { type Deed, marks } from "./deed-line.js";
import type { Segment } from "./line.js";

/** What a view knows of how it went besides the event. */
export interface Circumstances {
  cwd: string | undefined;
  home: string | undefined;
  /** How long the call took. */
  duration: number | undefined;
  /** The run ended while the call was running. */
  isUnfinished: boolean;
}

const pathTypes: ReadonlySet<string> = new Set(["read", "write", "list"]);

export function toOperationDeed(event: OperationEvent, circumstances: Circumstances): Deed {
  const { verb, object } = describeDeed(event, circumstances.cwd);
  const isPath = pathTypes.has(event.type);
  return {
    mark: markOf(isFailedOperation(event), event.isSuccess ?? (exitCodeOf(event) === 0 ? true : undefined)),
    verb,
    object: cleanLine(isPath ? withTilde(object, circumstances.home) : object),
    isPath,
    notes: [...exitNote(event), ...notesOf(circumstances)],
  };
}

/** A call of which nothing more is known than its tool. */
export function toToolDeed(call: Call, isSuccess: boolean | undefined, circumstances: Circumstances): Deed {
  return {
    mark: markOf(isSuccess === false, isSuccess),
    verb: cleanLine(call.name),
    object: call.preview,
    notes: notesOf(circumstances),
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

/** Shorter is not worth a look. */
const shortestDuration = 100;

export function notesOf({
  duration,
  isUnfinished,
}: Pick<Circumstances, "duration" | "isUnfinished">): Segment[] {
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
