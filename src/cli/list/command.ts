import type { AddCommand } from "../add-command.js";
import { trustOption } from "../trust-option.js";

export const addListCommand: AddCommand = (program, done) => {
  program
    .command("list")
    .description("list the agents, and which of them are installed")
    .option("--json", "print JSON")
    .addOption(trustOption())
    .action(async (flags) => {
      const { listAction } = await import("./action.js");
      done(await listAction(flags));
    })
    .addHelpText(
      "after",
      `
Examples:
  harness list
  harness list --json | jq -r '.[] | select(.isInstalled) | .agent'`,
    );
};
