import type { AddCommand } from "../add-command.js";

export const addConfigCommand: AddCommand = (program, done) => {
  const config = program.command("config").description("the configuration: harness.toml and your own file");
  config
    .command("show")
    .description("show what is set, and where each value comes from")
    .option("--json", "print JSON")
    .action(async (flags) => {
      const { showAction } = await import("./show.js");
      done(await showAction(flags));
    })
    .addHelpText("after", "\nExample:\n  harness config show --json");
  config
    .command("path")
    .description("show which files are read")
    .action(async () => {
      const { pathAction } = await import("./path.js");
      done(await pathAction());
    })
    .addHelpText("after", "\nExample:\n  harness config path");
  config
    .command("init")
    .description("write a harness.toml to start from")
    .option("--user", "write your own file instead of the project's")
    .action(async (flags) => {
      const { initAction } = await import("./init.js");
      done(await initAction(flags));
    })
    .addHelpText(
      "after",
      "\nA file that is there is never touched.\n\nExamples:\n  harness config init\n  harness config init --user",
    );
};
