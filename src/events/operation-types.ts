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
