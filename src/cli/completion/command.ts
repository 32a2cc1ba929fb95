import { Argument } from "commander";
import type { AddCommand } from "../add-command.js";

export const addCompletionCommand: AddCommand = (program, done) => {
  program
    .command("completion")
    .description("print a completion script for your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      "\nExample:\n  harness completion bash > ~/.local/share/bash-completion/completions/harness\n",
    )
    .action(async (shell) => {
      const { completionAction } = await import("./action.js");
      done(await completionAction(shell, program));
    });
};
