import { Option } from "commander";
import type { AddCommand } from "../add-command.js";

export const addTrustCommand: AddCommand = (program, done) => {
  program
    .command("trust")
    .description("let a project's harness.toml run programs and set variables")
    .argument("[path]", "the project's folder or its harness.toml (else the one that counts here)")
    .option("-y, --yes", "do not ask")
    .addOption(new Option("--list", "list what is trusted").conflicts(["revoke", "yes"]))
    .addOption(new Option("--revoke", "trust it no more").conflicts(["yes"]))
    .addOption(new Option("--json", "print the list as JSON").implies({ list: true }))
    .action(async (path, flags) => {
      const { trustAction } = await import("./action.js");
      done(await trustAction(path, flags));
    })
    .addHelpText(
      "after",
      `
A harness.toml comes with the folder that it is in. Until you trust it, it may set default_* and names of models
only. What it sets besides is shown before you are asked. Trust ends when the file changes, or a module, program
or script in the project that it names. In CI: run --trust, or the variable HARNESS_TRUST=1.

Examples:
  harness trust
  harness trust --list
  harness trust --revoke ~/src/project`,
    );
};
