import type { Launch, PermissionMode } from "../../definition.js";
import type { LiveTask } from "../../live-contract.js";

/** The modes: as an argument, and as the protocol names them. */
export const geminiModes: Readonly<Record<PermissionMode, { argument: string; id: string }>> = {
  "full-access": { argument: "yolo", id: "yolo" },
  "read-only": { argument: "plan", id: "plan" },
  ask: { argument: "default", id: "default" },
};

const policyFile = "ask.toml";

/**
 * Without it, Gemini CLI asks only before it writes or runs something. The priorities are above everything else that a user can
 * configure, and above what was allowed for ever. Commands that Gemini CLI takes for safe are run unasked, unless the rule has a
 * pattern for the arguments (0.61.0).
 */
const askForEverything = `[[rule]]
toolName = "*"
decision = "ask_user"
priority = 998

[[rule]]
toolName = "run_shell_command"
argsPattern = "."
decision = "ask_user"
priority = 999
`;

/** `gemini --acp`. The folder is trusted for this session, as in one-shot runs. */
export function launchGeminiSession(task: LiveTask): Launch {
  const { model, permissions, directory } = task;
  const asks = permissions === "ask";
  const args = [
    "--acp",
    "--skip-trust",
    ...(model === undefined ? [] : ["--model", model]),
    "--approval-mode",
    geminiModes[permissions].argument,
    ...(asks ? ["--policy", `${directory}/${policyFile}`] : []),
    ...task.extraArgs,
  ];
  return asks ? { args, files: { [policyFile]: askForEverything } } : { args };
}
