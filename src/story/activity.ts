import type { HarnessEvent } from "../events/event.js";
import type { OperationType } from "../events/operation.js";
import { toOneLine } from "../text/cut.js";
import { relativeTo } from "../text/paths.js";

export type OperationEvent = Extract<HarnessEvent, { type: OperationType }>;

/** What was done, as one line for people, with paths as seen from the run's directory. */
export function describeOperation(event: OperationEvent, cwd: string | undefined): string {
  return toOneLine(words(event, cwd), outcome(event));
}

function words(event: OperationEvent, cwd: string | undefined): string {
  switch (event.type) {
    case "command":
      return `Running ${event.command}`;
    case "read":
      return `Reading ${relativeTo(event.path, cwd)}${lineRange(event)}`;
    case "write":
      return `Editing ${relativeTo(event.path, cwd)}${lineRange(event)}`;
    case "search":
      return `Searching for ${event.query}${event.path === undefined ? "" : ` in ${relativeTo(event.path, cwd)}`}`;
    case "list":
      return event.path === undefined ? "Listing files" : `Listing ${relativeTo(event.path, cwd)}`;
    case "skill":
      return `Using skill ${event.skillName ?? relativeTo(event.path, cwd)}`;
    case "orchestration": {
      const name = event.subagentName ?? event.subagentId;
      return `Subagent ${name === undefined ? "" : `${name} `}${actions[event.action]}`;
    }
  }
}

const actions = { subagent_started: "started", subagent_completed: "completed", subagent_failed: "failed" };

/** `:10-20`, `:10` for one line, `:10-` for the rest of the file. */
export function lineRange({ startLine, endLine }: { startLine?: number; endLine?: number }): string {
  if (startLine === undefined && endLine === undefined) return "";
  const start = startLine ?? 1;
  return start === endLine ? `:${start}` : `:${start}-${endLine ?? ""}`;
}

function outcome(event: OperationEvent): string {
  if (event.type === "orchestration") return "";
  const exitCode = event.type === "command" ? event.exitCode : undefined;
  if (event.isSuccess === true || (event.isSuccess === undefined && !exitCode)) return "";
  return exitCode ? ` (exit ${exitCode})` : " (failed)";
}
