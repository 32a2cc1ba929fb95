import { Option } from "commander";
import { outputNames } from "../../outputs/registry.js";
import type { AddCommand } from "../add-command.js";
import {
  choiceOption,
  defaultFormat,
  defaultFormatHelp,
  notEmpty,
  permissionModes,
  positiveInteger,
  positiveNumber,
} from "../option-values.js";
import { refuseUnexpected } from "../refuse-lost-words.js";
import { refuseIdleThinking, thinkingOption } from "../thinking-option.js";
import { trustOption } from "../trust-option.js";

export const addRunCommand: AddCommand = (program, done) => {
  program
    .command("run")
    .description("run an agent and stream what it does")
    .option(
      "-a, --agent <name>",
      "the agent to run (else default_agent of the configuration, else the only one installed)",
      notEmpty,
    )
    .option("-p, --prompt <text>", "what the agent is to do (else --prompt-file, else standard input)")
    .addOption(
      new Option("--prompt-file <file>", "read the prompt from a file; - is standard input")
        .argParser(notEmpty)
        .conflicts("prompt"),
    )
    .option("-m, --model <model>", "the model to use: a name from harness models list, or the agent's own id")
    .addOption(
      choiceOption(
        "--permissions <mode>",
        "what the agent may do; full-access (it changes files and runs commands without asking) unless the configuration says otherwise",
        permissionModes,
      ),
    )
    // Before the format that it implies: of what --quiet is at odds with, the first is told.
    .addOption(thinkingOption())
    .addOption(
      choiceOption("-f, --format <format>", "how to print the run", outputNames).default(
        defaultFormat,
        defaultFormatHelp,
      ),
    )
    .addOption(
      new Option(
        "-q, --quiet",
        "print the answer and nothing else; say on standard error why there is none",
      ).conflicts(["format", "thinking"]),
    )
    .option("--cwd <directory>", "where the agent works", notEmpty)
    .option("--timeout <seconds>", "end the run after this time", positiveNumber)
    .option("--idle-timeout <seconds>", "end the run after this much silence", positiveNumber)
    .option("--system-prompt <text>", "replace the agent's system prompt")
    .option("--append-system-prompt <text>", "add to the agent's system prompt")
    .option("--max-turns <n>", "end after this many turns", positiveInteger)
    .option("--max-budget-usd <amount>", "end when this much was spent", positiveNumber)
    .option(
      "--resume <id>",
      'go on with an earlier session: the id of a recording (or its beginning, or "last"), or the agent\'s own id',
      notEmpty,
    )
    .option("--binary <path>", "the agent's program, instead of the one on PATH", notEmpty)
    .option("--extra-args <words>", "passed on to the agent, quoted as in a shell")
    .option("--env <NAME=value...>", "a variable for the agent (repeatable)")
    .option(
      "-o, --output-file <file>",
      "also write what is printed to this file, while the run goes on",
      notEmpty,
    )
    .option(
      "--record <directory>",
      "also write raw.jsonl and events.jsonl to this directory, in place of those that are there",
      notEmpty,
    )
    .option(
      "--redact",
      "mask keys, passwords and the values of secret variables in what is printed and recorded",
    )
    .option("--no-log", "do not record the run")
    .option("--dry-run", "show what would be executed, and do nothing")
    .addOption(trustOption())
    .argument("[arguments...]", "passed on to the agent, behind --")
    .action(async (words: string[], flags, command) => {
      const dashes = process.argv.indexOf("--");
      const behindDashes = dashes === -1 ? 0 : process.argv.length - dashes - 1;
      refuseUnexpected(command, words, behindDashes);
      refuseIdleThinking(command);
      const { runAction } = await import("./action.js");
      done(await runAction(words, flags));
    })
    .addHelpText(
      "after",
      `
Examples:
  harness run -a claude -p "Fix the failing test"
  harness run -a codex --quiet --permissions read-only < question.md > answer.md
  harness run -p "Go on" --resume last
  harness run -a claude -p "Fix the test" --dry-run -- --effort high
  harness run -a opencode -p "Fix the test" | jq -r 'select(.type == "Message") | .text'

Exit codes: 0 success, 1 the run failed, 2 usage or configuration, 124 timed out or stalled, 127 not installed (harness help outcomes)`,
    );
};
