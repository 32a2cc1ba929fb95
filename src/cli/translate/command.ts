import { Option } from "commander";
import { outputNames } from "../../outputs/registry.js";
import type { AddCommand } from "../add-command.js";
import { choiceOption, notEmpty, signalName, wholeNumber } from "../option-values.js";
import { trustOption } from "../trust-option.js";

export const addTranslateCommand: AddCommand = (program, done) => {
  program
    .command("translate")
    .description("turn an agent's own output, or a raw.jsonl, into any format")
    .argument("[file]", "what to read; standard input when left out")
    .requiredOption("-a, --agent <name>", "the agent whose output it is")
    .addOption(choiceOption("-f, --format <format>", "how to print it", outputNames).default("ndjson"))
    .addOption(new Option("--explain", "show for every line what became of it").conflicts("format"))
    .option("--cwd <directory>", "where the agent worked; relative paths resolve against it")
    .option("--run-id <id>", "the run id to put on events", notEmpty)
    .option("--resumed", "the run went on with an earlier session, so totals cover more than it")
    .option(
      "--exit-code <code>",
      "how the process ended, if the input does not say (default: 0)",
      wholeNumber,
    )
    .option("--signal <name>", "the signal that ended the process", signalName)
    .addOption(trustOption())
    .action(async (file, flags) => {
      const { translateAction } = await import("./action.js");
      done(await translateAction(file, flags));
    })
    .addHelpText(
      "after",
      `
Examples:
  claude -p "Fix the test" --output-format stream-json --verbose | harness translate -a claude --format events
  harness translate -a codex --explain saved.jsonl
  harness translate -a goose --format json ~/.local/share/harness/sessions/20261115-191302-k3f9x2/raw.jsonl`,
    );
};
