import type { Launch, LaunchTask } from "../definition.js";

/**
 * `opencode run`. The prompt always travels on standard input: as an argument it reaches the model with
 * quotation marks around it. The working directory is `PWD`, which OpenCode believes before its real one.
 */
export function launchOpencode(task: LaunchTask): Launch {
  const isReadOnly = task.permissions === "read-only";
  const args = [
    "run",
    "--format",
    "json",
    "--thinking",
    ...(isReadOnly ? ["--agent", "plan"] : ["--auto"]),
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.resume === undefined ? [] : ["--session", task.resume]),
    ...task.extraArgs,
  ];
  const env = { PWD: task.cwd, ...(isReadOnly && { OPENCODE_PERMISSION: JSON.stringify(readOnlyPermission) }) };
  return { args, env, stdin: task.prompt };
}

/**
 * The `plan` agent alone may run any shell command and any MCP tool (1.18.33). These rules come after those of
 * every agent and every configuration file, so what is not named here is not even offered to the model.
 */
const readOnlyPermission = {
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
