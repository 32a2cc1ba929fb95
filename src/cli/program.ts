import { Command, CommanderError } from "commander";
import { isHarnessError } from "../errors.js";
import { acpCommand } from "./acp/command.js";
import { batchCommand } from "./batch/command.js";
import { chatCommand } from "./chat/command.js";
import { checkCommand } from "./check/command.js";
import { complain, note } from "./complain.js";
import { completeCommand } from "./complete/command.js";
import { completionCommand } from "./completion/command.js";
import { configCommand } from "./config/command.js";
import type { AddCommand } from "./define-command.js";
import { demoCommand } from "./demo/command.js";
import { exitCodes } from "./exit-codes.js";
import { helpCommand } from "./help/command.js";
import { topicList } from "./help-topics.js";
import { listCommand } from "./list/command.js";
import { mcpCommand } from "./mcp/command.js";
import { modelsCommand } from "./models/command.js";
import { createOutput } from "./output.js";
import { readVersion } from "./package-files.js";
import { refuseLostWords } from "./refuse-lost-words.js";
import { runCommand } from "./run/command.js";
import { scriptedModelCommand } from "./scripted-model/command.js";
import { sessionsCommand } from "./sessions/command.js";
import { statsCommand } from "./stats/command.js";
import { translateCommand } from "./translate/command.js";
import { trustCommand } from "./trust/command.js";
import { viewCommand } from "./view/command.js";
import { workerCommand } from "./worker/command.js";

/** Every command, in the groups and the order of the help. A command is a folder with a `command.ts`, and a line here. */
const commandGroups: readonly (readonly [string, readonly AddCommand[]])[] = [
  ["Try it:", [demoCommand, scriptedModelCommand]],
  ["Run agents:", [runCommand, chatCommand, batchCommand, workerCommand, acpCommand, mcpCommand]],
  ["Look at runs:", [sessionsCommand, statsCommand, viewCommand, translateCommand]],
  ["Agents and models:", [listCommand, checkCommand, modelsCommand]],
  ["Set up:", [configCommand, trustCommand, completionCommand, completeCommand, helpCommand]],
];

/** A start that names one of these needs no other command. To describe all of them takes 4 ms. */
const frequent: ReadonlyMap<string | undefined, AddCommand> = new Map([
  ["run", runCommand],
  ["translate", translateCommand],
]);

const firstSteps = `
Examples:
  harness demo
  harness list
  harness run "Fix the failing test" --agent claude
  harness chat --agent codex`;

/** Parses the arguments and runs the command. Resolves to the exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.success;
  const only = frequent.get(argv[2]);
  const program = createProgram(
    (code) => {
      exitCode = code;
    },
    only && [["Commands:", [only]]],
  );
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

/** A synonym of `--version`, as other programs have it. The help does not show it. */
function addVersionCommand(program: Command): void {
  program
    .command("version", { hidden: true })
    .action(() => void createOutput(process.stdout).print(`${readVersion()}\n`));
}

/** The whole command line, or some commands of it. Nothing runs yet. */
export function createProgram(done: (exitCode: number) => void, groups = commandGroups): Command {
  const program = new Command("harness")
    .description("Run any coding agent and get one live, ordered, lossless stream of events.")
    .version(readVersion(), "-V, --version", "print the version")
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void createOutput(process.stdout).print(text),
      writeErr: note,
      outputError: (text, write) => write(toSentence(text)),
    })
    .addHelpText("after", topicList)
    .addHelpText("after", firstSteps)
    .hook("preAction", (_program, command) => refuseExcess(command));
  for (const [heading, commands] of groups) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, done);
  }
  addVersionCommand(program);
  for (const command of everyCommand(program)) {
    command
      .helpOption("-h, --help", "show this help")
      .exitOverride()
      .allowExcessArguments()
      .showHelpAfterError(`see: ${pathOf(command)} --help`);
  }
  return program;
}

/** Rewrites the errors of Commander as ours are written: what is wrong first, then what to do. */
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
  const unexpected = takesAll ? undefined : command.args[command.registeredArguments.length];
  if (unexpected !== undefined) command.error(`error: unexpected argument '${unexpected}': leave it out`);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
