import type { AddCommand } from "../add-command.js";

export const addCheckCommand: AddCommand = (program, done) => {
  program
    .command("check")
    .description("check that an agent can be run here: program, version, capabilities, credentials")
    .argument("<agent>", "the agent to look for")
    .option("--binary <path>", "the agent's program, instead of the one on PATH")
    .option("--json", "print JSON")
    .action(async (agent, flags) => {
      const { checkAction } = await import("../actions/check.js");
      done(await checkAction(agent, flags));
    });
};
