import type { PlannedOperation, RequestedOperation } from "../events/live-event.js";
import type { OperationEvent } from "../events/operation.js";
import { toOneLine } from "../text/cut.js";
import { relativeTo } from "../text/paths.js";
import { hasFailed } from "./outcomes.js";

const verbs = {
  command: { doing: "Running", done: "Ran", wanted: "run", failed: "Ran" },
  read: { doing: "Reading", done: "Read", wanted: "read", failed: "Failed to read" },
  write: { doing: "Editing", done: "Edited", wanted: "edit", failed: "Failed to edit" },
  search: { doing: "Searching for", done: "Searched", wanted: "search for", failed: "Failed to search" },
  list: { doing: "Listing", done: "Listed", wanted: "list", failed: "Failed to list" },
  skill: { doing: "Using skill", done: "Used skill", wanted: "use the skill", failed: "Failed to use skill" },
};

const subagentWords = {
  subagent_started: { doing: "started", done: "Subagent" },
  subagent_completed: { doing: "completed", done: "Subagent finished" },
  subagent_failed: { doing: "failed", done: "Subagent failed" },
};

/** What was done, as a verb and its object: `Read` · `src/app.ts:10-20`. Not yet safe to show. */
export interface Deed {
  verb: string;
  object: string;
}

/** What was done, with paths as seen from the run's directory. */
export function describeDeed(event: OperationEvent, cwd: string | undefined): Deed {
  const { done } = event.type === "orchestration" ? subagentWords[event.action] : verbs[event.type];
  return { verb: done, object: objectOf(event, cwd) };
}

/** What a call is doing right now: `Running` · `npm test`. Not yet safe to show. */
export function describeDoing(operation: PlannedOperation, cwd: string | undefined): Deed {
  return { verb: verbs[operation.type].doing, object: objectOf(operation, cwd) };
}

/** The same as one safe line that says what is going on: `Reading src/app.ts:10-20`, `Running npm test (exit 1)`. */
export function describeOperation(event: OperationEvent, cwd: string | undefined): string {
  if (event.type !== "orchestration") return describePlan(event, cwd, failureSuffix(event));
  const object = objectOf(event, cwd);
  return toOneLine(`Subagent ${object === "" ? "" : `${object} `}${subagentWords[event.action].doing}`);
}

/** What a call is going to do, as one safe line: `Running npm test`. */
export function describePlan(operation: PlannedOperation, cwd: string | undefined, suffix = ""): string {
  return toOneLine(`${verbs[operation.type].doing} ${objectOf(operation, cwd)}`, suffix);
}

/**
 * What was done, as it turned out: `Failed to edit` · `a.ts`. `isUnfinished`: the run ended before it came back. A
 * command that failed was run all the same.
 */
export function describeAttempt(event: OperationEvent, cwd: string | undefined, isUnfinished: boolean): Deed {
  const deed = describeDeed(event, cwd);
  if (event.type === "orchestration") return deed;
  const { doing, done, failed } = verbs[event.type];
  return { ...deed, verb: hasFailed(event) ? failed : isUnfinished ? doing : done };
}

/** What an agent asks to do: `run` · `npm test`. Not yet safe to show. */
export function describeWish(operation: RequestedOperation, cwd: string | undefined): Deed {
  switch (operation.type) {
    case "fetch":
      return { verb: "fetch", object: operation.url ?? "from the network" };
    case "mcp": {
      const { server, tool } = operation;
      return { verb: "use", object: server === undefined ? tool : `${tool} of ${server}` };
    }
    default:
      return { verb: verbs[operation.type].wanted, object: objectOf(operation, cwd) };
  }
}

function objectOf(event: OperationEvent | PlannedOperation, cwd: string | undefined): string {
  switch (event.type) {
    case "command":
      return event.command;
    case "read":
    case "write":
      return relativeTo(event.path, cwd) + lineRange(event);
    case "search":
      return event.query + (event.path === undefined ? "" : ` in ${relativeTo(event.path, cwd)}`);
    case "list":
      return event.path === undefined ? "files" : relativeTo(event.path, cwd);
    case "skill":
      return event.skillName ?? relativeTo(event.path, cwd);
    case "orchestration":
      return event.subagentName ?? event.subagentId ?? "";
  }
}

/** `:10-20`, `:10` for one line, `:10-` for the rest of the file. */
function lineRange({ startLine, endLine }: { startLine?: number; endLine?: number }): string {
  if (startLine === undefined && endLine === undefined) return "";
  const start = startLine ?? 1;
  return start === endLine ? `:${start}` : `:${start}-${endLine ?? ""}`;
}

function failureSuffix(event: OperationEvent): string {
  if (!hasFailed(event)) return "";
  return event.type === "command" && event.exitCode ? ` (exit ${event.exitCode})` : " (failed)";
}
