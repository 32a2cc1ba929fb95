import { outputNames } from "../../outputs/registry.js";
import type { AddCommand } from "../add-command.js";
import { choiceOption } from "../option-values.js";
import { refuseIdleThinking, thinkingOption } from "../thinking-option.js";

export const addDemoCommand: AddCommand = (program, done) => {
  program
    .command("demo")
    .description("play a recorded run of a real agent: nothing to install, no key needed")
    .option("-a, --agent <name>", "whose recorded run to play", "claude")
    .addOption(choiceOption("-f, --format <format>", "how to print the run", outputNames).default("text"))
    .addOption(thinkingOption())
    .option("--fast", "without the pauses of the run")
    .option("--no-log", "do not record it")
    .action(async (flags, command) => {
      refuseIdleThinking(command);
      const { demoAction } = await import("./action.js");
      done(await demoAction(flags));
    })
    .addHelpText(
      "after",
      `
There is a recorded run of claude, codex, goose, opencode and pi.

Examples:
  harness demo
  harness demo --agent codex --format ndjson --fast | head`,
    );
};
