import type { EventOf, HarnessEvent } from "./event.js";

/** The seven types that say what the agent did: to files, with commands, through skills and subagents. */
export const operationTypes = [
  "command",
  "read",
  "write",
  "search",
  "list",
  "skill",
  "orchestration",
] as const;
export type OperationType = (typeof operationTypes)[number];

/** An event that says what was done. */
export type OperationEvent = EventOf<OperationType>;

const types: ReadonlySet<string> = new Set(operationTypes);

export function isOperation(event: HarnessEvent): event is OperationEvent {
  return types.has(event.type);
}
