import { isAbsolute, join, relative } from "node:path";
import type { HarnessEvent } from "../../src/events/event.js";

/**
 * Describes each operation in a short sentence: `read src/app.ts:2-3 ok`, `command make failed (2)`. Paths are relative to
 * the workspace, however the agent wrote them. `ok` includes an exit code of 0.
 */
export function describeOperations(events: readonly HarnessEvent[], workspace: string): string[] {
  return events.flatMap((event) => {
    const sentence = describe(event, workspace);
    if (sentence === undefined) return [];
    return event.parentCallId === undefined ? [sentence] : [`subagent: ${sentence}`];
  });
}

function describe(event: HarnessEvent, workspace: string): string | undefined {
  switch (event.type) {
    case "command":
      return `command ${event.command.replaceAll(workspace, ".")}${ending(event)}${event.exitCode ? ` (${event.exitCode})` : ""}`;
    case "read":
    case "write":
      return `${event.type} ${seen(event.path, workspace)}${lines(event)}${ending(event)}`;
    case "search":
      return `search ${event.query}${event.path === undefined ? "" : ` in ${seen(event.path, workspace)}`}${ending(event)}`;
    case "list":
      return `list ${event.path === undefined ? "" : seen(event.path, workspace)}${ending(event)}`;
    case "skill":
      return `skill ${event.skillName ?? ""}${ending(event)}`;
    case "orchestration":
      return `${event.action}${ending(event)}`;
    default:
      return undefined;
  }
}

function ending({ isSuccess }: { isSuccess?: boolean }): string {
  if (isSuccess === undefined) return "";
  return isSuccess ? " ok" : " failed";
}

function lines({ startLine, endLine }: { startLine?: number; endLine?: number }): string {
  return startLine === undefined ? "" : `:${startLine}-${endLine ?? ""}`;
}

function seen(path: string, workspace: string): string {
  const absolute = isAbsolute(path) ? path : join(workspace, path);
  return relative(workspace, absolute) || ".";
}
