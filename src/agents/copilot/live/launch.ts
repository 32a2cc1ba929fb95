import type { Launch } from "../../definition.js";
import type { LiveTask } from "../../live-contract.js";
import { copilotReadOnly } from "../launch.js";

/** `copilot --acp --stdio`. The variable could allow everything, although the session is to ask. */
export function launchCopilotSession(task: LiveTask): Launch {
  const { model, permissions } = task;
  const args = [
    "--acp",
    "--stdio",
    ...(model === undefined ? [] : ["--model", model]),
    ...(permissions === "full-access" ? ["--allow-all"] : []),
    ...(permissions === "read-only" ? copilotReadOnly : []),
    ...task.extraArgs,
  ];
  return permissions === "full-access" ? { args } : { args, env: { COPILOT_ALLOW_ALL: "false" } };
}
