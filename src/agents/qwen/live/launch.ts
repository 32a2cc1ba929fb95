import type { Launch, PermissionMode } from "../../definition.js";
import type { LiveTask } from "../../live-contract.js";
import { joinedOption } from "../../shared/launch-arguments.js";

export const qwenModes: Readonly<Record<PermissionMode, string>> = {
  "full-access": "yolo",
  "read-only": "plan",
  ask: "default",
};

const settingsFile = "settings.json";

/**
 * Without it, Qwen Code asks only before it writes, and before commands that do more than read. Rules that ask have precedence over
 * those that allow, and the lists of all its settings files are joined.
 */
const askForEverything = {
  permissions: {
    ask: [
      "Bash",
      "Read",
      "Edit",
      "Write",
      "Grep",
      "Glob",
      "ListFiles",
      "WebFetch",
      "WebSearch",
      "Agent",
      "Skill",
      "mcp__*",
    ],
  },
};

/** `qwen --acp`, with the same arguments as one-shot runs. The variable stops it from starting itself again as a child. */
export function launchQwenSession(task: LiveTask): Launch {
  const { permissions } = task;
  const args = [
    "--acp",
    ...joinedOption("--model", task.model),
    ...joinedOption("--approval-mode", qwenModes[permissions]),
    ...(permissions === "read-only" ? ["--exclude-tools=enter_worktree,exit_worktree,record_artifact"] : []),
    ...joinedOption("--system-prompt", task.systemPrompt),
    ...joinedOption("--append-system-prompt", task.appendSystemPrompt),
    ...joinedOption("--max-session-turns", task.maxTurns),
    ...task.extraArgs,
  ];
  const env = { QWEN_CODE_NO_RELAUNCH: "true", QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" };
  if (permissions !== "ask") return { args, env };
  return {
    args,
    env: { ...env, QWEN_CODE_SYSTEM_DEFAULTS_PATH: `${task.directory}/${settingsFile}` },
    files: { [settingsFile]: JSON.stringify(askForEverything) },
  };
}
