import { defineCommand } from "../define-command.js";
import { topics } from "../help-topics.js";

export const helpCommand = defineCommand({
  name: "help",
  description: "help for a command, or on a topic",
  arguments: [
    { name: "[words...]", description: `a command, or a topic: ${Object.keys(topics).sort().join(", ")}` },
  ],
  help: `Examples:
  harness help outcomes
  harness help sessions export`,
  run: async ({ words: [words], program }) => (await import("./action.js")).helpAction(words, program),
});
