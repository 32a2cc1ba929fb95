import { Command, CommanderError } from "commander";
import { isHarnessError } from "../errors.js";
import type { AddCommand } from "./add-command.js";
import { addCheckCommand } from "./commands/check.js";
import { addCompletionCommand } from "./commands/completion.js";
import { addConfigCommand } from "./commands/config.js";
import { addDemoCommand } from "./commands/demo.js";
import { addHelpCommand } from "./commands/help.js";
import { addListCommand } from "./commands/list.js";
import { addModelsCommand } from "./commands/models.js";
import { addRunCommand } from "./commands/run.js";
import { addSessionsCommand } from "./commands/sessions.js";
import { addTranslateCommand } from "./commands/translate.js";
import { addViewCommand } from "./commands/view.js";
import { exitCodes } from "./exit-codes.js";
import { readVersion } from "./version.js";

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
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    if (!isHarnessError(error)) throw error;
    process.stderr.write(`harness: ${error.message}\n`);
    return exitCodes.usage;
  }
  return exitCode;
}

function createProgram(done: (exitCode: number) => void): Command {
  const program = new Command("harness")
    .description("Run any coding agent and get one live, ordered, lossless stream of events.")
    .version(readVersion(), "-V, --version")
    .enablePositionalOptions();
  for (const add of commands) add(program, done);
  for (const command of everyCommand(program)) {
    command.exitOverride().showHelpAfterError("(run it with --help to see what there is)");
  }
  return program;
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
