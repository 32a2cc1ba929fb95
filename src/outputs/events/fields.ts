/**
 * The eleven types of the normalized stream, each with its own fields in the order they are written.
 * In front of them every event has `type`, `timestamp` and, when known, `sessionId`.
 */
export const ownFields = {
  agent: ["message"],
  command: ["command", "workingDirectory", "exitCode", "isSuccess"],
  read: ["path", "startLine", "endLine", "isSuccess"],
  write: ["path", "startLine", "endLine", "isSuccess"],
  search: ["query", "path", "isSuccess"],
  list: ["path", "isSuccess"],
  skill: ["path", "skillName", "startLine", "endLine", "isSuccess"],
  orchestration: ["action", "subagentId", "subagentName", "isSuccess"],
  error: ["message", "code"],
  warning: ["message", "code"],
  unknown: ["raw"],
} as const;
