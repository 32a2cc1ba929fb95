import type { AddCommand } from "../add-command.js";
import { portNumber } from "../option-values.js";

export const addViewCommand: AddCommand = (program, done) => {
  program
    .command("view")
    .description("show live and recorded runs on a page in your browser")
    .option(
      "--port <number>",
      "the port to serve it on (default: 4280, or the next that is free)",
      portNumber,
    )
    .option("--host <address>", "the address to serve it on", "127.0.0.1")
    .option("--open", "open it in the browser")
    .option("--directory <directory>", "the recordings to show, instead of your own")
    .action(async (flags) => {
      const { viewAction } = await import("../actions/view.js");
      done(await viewAction(flags));
    });
};
