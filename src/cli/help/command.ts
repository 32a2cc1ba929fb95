import type { AddCommand } from "../add-command.js";

export const addHelpCommand: AddCommand = (program, done) => {
  program.helpCommand(false);
  program
    .command("help")
    .description("help for a command, or on a topic: agents, configuration, events, formats, outcomes")
    .argument("[words...]", "a command or a topic")
    .action(async (words) => {
      const { helpAction } = await import("./action.js");
      done(await helpAction(words, program));
    })
    .addHelpText("after", "\nExamples:\n  harness help outcomes\n  harness help sessions export");
};
