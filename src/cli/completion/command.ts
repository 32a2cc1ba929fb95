import { defineCommand } from "../define-command.js";

const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export const completionCommand = defineCommand({
  name: "completion",
  description: "print a completion script for your shell",
  arguments: [{ name: "<shell>", description: "your shell", choices: shells }],
  help: `Example:
  harness completion bash > ~/.local/share/bash-completion/completions/harness`,
  run: async ({ words: [shell], program }) => (await import("./action.js")).completionAction(shell, program),
});
