import type { EventOf } from "../events/event.js";
import type { OperationType } from "../events/operation.js";
import { relativeTo } from "../text/paths.js";
import { lineRange } from "./activity.js";

/** An event that says what was done. */
export type OperationEvent = EventOf<OperationType>;

/** What was done, in two words' worth: `Read` · `src/app.ts:10-20`. Not yet safe to show. */
export interface Deed {
  verb: string;
  object: string;
}

export function describeDeed(event: OperationEvent, cwd: string | undefined): Deed {
  switch (event.type) {
    case "command":
      return { verb: "Ran", object: event.command };
    case "read":
      return { verb: "Read", object: relativeTo(event.path, cwd) + lineRange(event) };
    case "write":
      return { verb: "Edited", object: relativeTo(event.path, cwd) + lineRange(event) };
    case "search": {
      const where = event.path === undefined ? "" : ` in ${relativeTo(event.path, cwd)}`;
      return { verb: "Searched", object: event.query + where };
    }
    case "list":
      return { verb: "Listed", object: event.path === undefined ? "files" : relativeTo(event.path, cwd) };
    case "skill":
      return { verb: "Used skill", object: event.skillName ?? relativeTo(event.path, cwd) };
    case "orchestration":
      return { verb: actions[event.action], object: event.subagentName ?? event.subagentId ?? "" };
  }
}

const actions = {
  subagent_started: "Subagent",
  subagent_completed: "Subagent finished",
  subagent_failed: "Subagent failed",
};

export function isFailedOperation(event: OperationEvent): boolean {
  if (event.isSuccess !== undefined) return !event.isSuccess;
  return event.type === "command" && (event.exitCode ?? 0) !== 0;
}
