import type { RequestedOperation } from "../../../src/events/live-event.js";
import type { JudgedRequest } from "../../../src/live/rules/judge.js";
import type { Places } from "../../../src/live/rules/path-pattern.js";

/** A project in which no path is a symbolic link. */
export const places: Places = { cwd: "/home/me/project", home: "/home/me", realPath: withoutDots };

/** A path with `.` and `..` removed, as a system does where there are no links. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return `/${kept.join("/")}`;
}

/** A text is a command. */
export function toRequest(asked: string | RequestedOperation): JudgedRequest {
  const operation = typeof asked === "string" ? { type: "command" as const, command: asked } : asked;
  return { name: "tool", operations: [operation] };
}
