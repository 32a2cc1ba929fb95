/**
 * Notifications that give no event, with the reason. They say nothing that other records do not, or nothing about what the
 * agent does.
 */
export const quietMethods: ReadonlyMap<string, string> = new Map([
  ...[
    "item/commandExecution/outputDelta",
    "item/commandExecution/terminalInteraction",
    "item/fileChange/outputDelta",
    "item/fileChange/patchUpdated",
    "item/mcpToolCall/progress",
  ].map((method) => [method, "restated when the item completes"] as const),
  ...["turn/diff/updated", "rawResponseItem/completed", "rawResponse/completed"].map(
    (method) => [method, "restates items"] as const,
  ),
  ...[
    "thread/status/changed",
    "thread/readState/changed",
    "thread/archived",
    "thread/unarchived",
    "thread/closed",
    "thread/name/updated",
    "thread/goal/updated",
    "thread/goal/cleared",
    "thread/queue/changed",
    "thread/prediction/updated",
    "thread/environment/connected",
    "thread/environment/disconnected",
    "turn/moderationMetadata",
  ].map((method) => [method, "the thread's own bookkeeping"] as const),
  ...[
    "account/updated",
    "account/rateLimits/updated",
    "app/list/updated",
    "remoteControl/status/changed",
    "skills/changed",
    "project/changed",
    "modelProvider/authRecoveryStarted",
    "modelProvider/authRecoveryCompleted",
  ].map((method) => [method, "about the program, not the session"] as const),
]);

/** Requests to the client as a program. The peer answers them with an error. */
export const programRequests: ReadonlySet<string> = new Set([
  "item/tool/call",
  "account/chatgptAuthTokens/refresh",
  "attestation/generate",
  "currentTime/read",
]);
