import type { AddCommand } from "../add-command.js";
import { notEmpty, portNumber } from "../option-values.js";

export const addViewCommand: AddCommand = (program, done) => {
  program
    .command("view")
    .description("show live and recorded runs on a page in your browser")
    .option(
      "--port <number>",
      "the port to serve it on (default: 4280, or the next that is free)",
      portNumber,
    )
    .option("--host <address>", "the address to serve it on", notEmpty, "127.0.0.1")
    .option("--open", "open it in the browser")
    .option("--directory <directory>", "the recordings to show, instead of your own", notEmpty)
    .action(async (flags) => {
      const { viewAction } = await import("./action.js");
      done(await viewAction(flags));
    })
    .addHelpText(
      "after",
      `
The address that it prints holds a token: whoever has it sees every run and can start agents.

Examples:
  harness view --open
  harness view --port 8080 --directory ./recordings`,
    );
};
