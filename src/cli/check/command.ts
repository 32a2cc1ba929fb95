import type { AddCommand } from "../add-command.js";
import { notEmpty } from "../option-values.js";
import { trustOption } from "../trust-option.js";

export const addCheckCommand: AddCommand = (program, done) => {
  program
    .command("check")
    .description("check that an agent can be run here: program, version, capabilities, credentials")
    .argument("<agent>", "the agent to look for")
    .option("--binary <path>", "the agent's program, instead of the one on PATH", notEmpty)
    .option("--json", "print JSON")
    .addOption(trustOption())
    .action(async (agent, flags) => {
      const { checkAction } = await import("./action.js");
      done(await checkAction(agent, flags));
    })
    .addHelpText(
      "after",
      `
Of credentials only the names of variables are looked at, never their values. Exit code 127 when it cannot be run.

Examples:
  harness check codex
  harness check claude --json | jq .version`,
    );
};
