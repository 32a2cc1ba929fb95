/** Lines that are not part of the conversation, and what they are for. A type that is not listed becomes `unknown`. */
export const housekeeping: ReadonlyMap<string, string> = new Map([
  ["queue-operation", "the prompt follows when it is taken"],
  ["last-prompt", "for the list of sessions"],
  ["summary", "for the list of sessions"],
  ["ai-title", "for the list of sessions"],
  ["custom-title", "for the list of sessions"],
  ["agent-name", "for the list of sessions"],
  ["agent-color", "for the list of sessions"],
  ["agent-setting", "for the list of sessions"],
  ["tag", "for the list of sessions"],
  ["pr-link", "for the list of sessions"],
  ["mode", "a setting of the session"],
  ["permission-mode", "a setting of the session"],
  ["worktree-state", "a setting of the session"],
  ["bridge-session", "a setting of the session"],
  ["atis-latch", "a setting of the session"],
  ["tools-used", "the names of tools that were used"],
  ["file-history-snapshot", "copies of files, to undo edits"],
  ["file-history-delta", "copies of files, to undo edits"],
  ["content-replacement", "results that were shortened for the model"],
  ["attribution-snapshot", "which characters of files the agent wrote"],
  ["api-request", "what was sent to the model"],
  ["api-request-shape", "what was sent to the model"],
  ["api-request-blob", "what was sent to the model"],
]);

/** `system` lines that say nothing about the work, by subtype. */
export const systemNotices: ReadonlyMap<string, string> = new Map([
  ["stop_hook_summary", "hooks have run"],
  ["local_command", "a command of the user in Claude Code itself"],
  ["away_summary", "a notice for the user"],
  ["informational", "a notice for the user"],
  ["bridge_status", "a notice for the user"],
  ["memory_saved", "a notice for the user"],
  ["scheduled_task_fire", "a notice for the user"],
  ["microcompact_boundary", "old results were left out for the model"],
]);
