import type { Launch, LaunchTask } from "../definition.js";
import type { PermissionConfig } from "../shared/opencode-serve/permission-rules.js";
import { launchOpencodeRun } from "../shared/opencode-stream/launch.js";

export function launchOpencode(task: LaunchTask): Launch {
  return launchOpencodeRun(task, { prefix: "OPENCODE", readOnly: opencodeReadOnly });
}

/**
 * The `plan` agent alone may run any shell command and any MCP tool (1.18.33). These rules override those
 * that come with the agents. A project's rules for the agent `plan` itself outrank them: docs/security.md says so. A
 * denied tool is not offered to the model or its subagents.
 */
export const opencodeReadOnly: PermissionConfig = {
  "*": "deny",
  bash: "deny",
  edit: "deny",
  read: "allow",
  glob: "allow",
  grep: "allow",
  list: "allow",
  lsp: "allow",
  skill: "allow",
  task: "allow",
  todowrite: "allow",
  webfetch: "allow",
  websearch: "allow",
  external_directory: "allow",
  doom_loop: "allow",
  invalid: "allow",
};
