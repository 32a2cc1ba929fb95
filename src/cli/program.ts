import { Command, CommanderError } from "commander";
import { isHarnessError } from "../errors.js";
import type { AddCommand } from "./add-command.js";
import { addCheckCommand } from "./check/command.js";
import { complain, note } from "./complain.js";
import { addCompletionCommand } from "./completion/command.js";
import { addConfigCommand } from "./config/command.js";
import { addDemoCommand } from "./demo/command.js";
import { exitCodes } from "./exit-codes.js";
import { addHelpCommand } from "./help/command.js";
import { topicList } from "./help/topics.js";
import { addListCommand } from "./list/command.js";
import { addModelsCommand } from "./models/command.js";
import { createOutput } from "./output.js";
import { refuseLostWords, refuseUnexpected } from "./refuse-lost-words.js";
import { addRunCommand } from "./run/command.js";
import { addSessionsCommand } from "./sessions/command.js";
import { addTranslateCommand } from "./translate/command.js";
import { addTrustCommand } from "./trust/command.js";
import { readVersion } from "./version.js";
import { addViewCommand } from "./view/command.js";

/** Every command, in the order of the help. A command is a file in `commands/` and a line here. */
const commands: readonly AddCommand[] = [
  addDemoCommand,
  addRunCommand,
  addTranslateCommand,
  addSessionsCommand,
  addViewCommand,
  addListCommand,
  addCheckCommand,
  addModelsCommand,
  addConfigCommand,
  addTrustCommand,
  addCompletionCommand,
  addHelpCommand,
];

/** Parses the arguments and runs the command. Gives the exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.success;
  const program = createProgram((code) => {
    exitCode = code;
  });
  try {
    refuseLostWords(program, argv);
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    if (!isHarnessError(error)) throw error;
    complain(error.message);
    return exitCodes.usage;
  }
  return exitCode;
}

/** Not in the help, which has `--version`: for hands that know other programs. */
function addVersionCommand(program: Command): void {
  program
    .command("version", { hidden: true })
    .action(() => void createOutput(process.stdout).print(`${readVersion()}\n`));
}

/** The whole command line, with nothing run yet. */
export function createProgram(done: (exitCode: number) => void): Command {
  const program = new Command("harness")
    .description("Run any coding agent and get one live, ordered, lossless stream of events.")
    .version(readVersion(), "-V, --version")
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void createOutput(process.stdout).print(text),
      writeErr: note,
      outputError: (text, write) => write(toSentence(text)),
    })
    .addHelpText("after", topicList)
    .hook("preAction", (_program, command) => refuseExcess(command));
  for (const add of commands) add(program, done);
  addVersionCommand(program);
  for (const command of everyCommand(program)) {
    command
      .exitOverride()
      .allowExcessArguments()
      .showHelpAfterError(`see: ${pathOf(command)} --help`);
  }
  return program;
}

/** As our own errors are told: the thing first, then what to do. */
function toSentence(text: string): string {
  return text
    .replace(/^error: /, "harness: ")
    .replace(/option '(?:-\w, )?(--[\w-]+)[^']*' argument missing/, "$1 needs a value")
    .replace(
      /option '(?:-\w, )?(--[\w-]+)[^']*' argument '([\s\S]*)' is invalid\. It must/,
      "$1 '$2': it must",
    )
    .replace(/command-argument value ('.*') is invalid for .*Allowed choices are/, "$1: it must be one of")
    .replace(/\n\(Did you mean (.*)\?\)/, "; did you mean $1?");
}

function refuseExcess(command: Command): void {
  const takesAll = command.registeredArguments.some(({ variadic }) => variadic);
  if (!takesAll) refuseUnexpected(command, command.args.slice(command.registeredArguments.length), 0);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
