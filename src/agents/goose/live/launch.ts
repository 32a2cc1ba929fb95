import type { Launch, PermissionMode } from "../../definition.js";
import type { LiveTask } from "../../live-contract.js";
import { refuseInSession } from "../../shared/acp/unsupported-options.js";

/** Goose has no tool that only reads, so read-only is its chat mode, as in one-shot runs. */
export const gooseModes: Readonly<Record<PermissionMode, string>> = {
  "full-access": "auto",
  "read-only": "chat",
  ask: "approve",
};

/** `goose acp`. It has no option for the model or the mode, but reads both from the environment. */
export function launchGooseSession(task: LiveTask): Launch {
  refuseInSession("Goose", task, ["appendSystemPrompt"]);
  const { model, maxTurns } = task;
  return {
    args: ["acp", ...task.extraArgs],
    env: {
      GOOSE_MODE: gooseModes[task.permissions],
      ...(model !== undefined && { GOOSE_MODEL: model }),
      ...(maxTurns !== undefined && { GOOSE_MAX_TURNS: String(maxTurns) }),
    },
  };
}
