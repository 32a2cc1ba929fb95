import { defineCommand } from "../define-command.js";

export const completedThings = ["sessions", "models", "agents", "batches"] as const;
export type CompletedThing = (typeof completedThings)[number];

/** Called by the scripts of `harness completion` while the user types. */
export const completeCommand = defineCommand({
  name: "complete",
  description: "print what a shell can complete: one value per line, a tab, and a description",
  arguments: [{ name: "<what>", description: "what to complete", choices: completedThings }],
  isHidden: true,
  help: `Example:
  harness complete sessions`,
  run: async ({ words: [what] }) => (await import("./action.js")).completeAction(what),
});
