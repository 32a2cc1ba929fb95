import type { Launch, LaunchTask } from "../definition.js";
import { checkedPrompt } from "../shared/launch-arguments.js";
import { mcpFileOf, mcpFiles } from "../shared/mcp-servers.js";

/**
 * `cline --json`. Tools are approved in both modes, since a tool that asks is denied without a terminal. Plan mode
 * has no tool that writes, and blocks commands that would.
 *
 * Two limitations of 3.0.65: `-m` and `-P` stay in effect for later runs (they are saved as the last choice), and the
 * session of a run cannot be continued in this mode (`--id` drops the prompt).
 */
export function launchCline(task: LaunchTask): Launch {
  const args = [
    "--json",
    ...(task.permissions === "read-only" ? ["--plan"] : []),
    "--auto-approve",
    "true",
    ...(task.model === undefined ? [] : ["--model", task.model]),
    ...(task.systemPrompt === undefined ? [] : ["--system", task.systemPrompt]),
    ...(task.effort === undefined ? [] : ["--thinking", task.effort]),
    ...task.extraArgs,
    "--",
    promptArgument(task.prompt),
  ];
  const servers = mcpFileOf(task);
  return {
    args,
    env: { ...environment, ...(servers !== undefined && { CLINE_MCP_SETTINGS_PATH: servers }) },
    ...mcpFiles(task, { program: {}, address: { type: "streamableHttp" } }),
  };
}

/**
 * - `CLINE_SESSION_BACKEND_MODE`: the default backend starts a daemon that outlives the run. The daemon serves later
 *   runs with the environment of the first, and runs their commands in processes that stopping a run does not reach.
 *   In-process, everything belongs to the run. Cline then reacts slowly to SIGTERM, so SIGKILL follows.
 * - `CLINE_NO_AUTO_UPDATE`: an update that begins when the run ends would be stopped half installed.
 */
const environment = { CLINE_SESSION_BACKEND_MODE: "local", CLINE_NO_AUTO_UPDATE: "1" };

/**
 * The prompt can only be an argument. Standard input is refused, or ignored if there is an argument. Cline takes an
 * argument without white space for a command (`cline doctor`), and looks for `--config=…` even after `--`. A line feed
 * before the prompt prevents both. Cline trims the prompt, so nothing else changes.
 */
function promptArgument(prompt: string): string {
  const argument = /^-|^\S*$/.test(prompt) ? `\n${prompt}` : prompt;
  return checkedPrompt("Cline", argument);
}
