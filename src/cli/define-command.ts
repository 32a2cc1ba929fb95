import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { wrapText } from "../outputs/text/wrap.js";
import { suggest } from "../text/suggest.js";
import type { ArgumentDeclaration, FlagsOf, OptionDeclaration, WordsOf } from "./declarations.js";

/** Adds one command to the program. `done` gets the exit code. */
export type AddCommand = (parent: Command, done: (exitCode: number) => void) => void;

/**
 * One command. It only describes itself: what it does is imported when it runs, so that no command slows the
 * start of another.
 */
export interface CommandDeclaration<
  Options extends readonly OptionDeclaration[],
  Arguments extends readonly ArgumentDeclaration[],
> {
  name: string;
  description: string;
  options?: Options;
  arguments?: Arguments;
  /** Commands below it: `batch resume` besides `batch PLAN`. A first argument with such a name means the command. */
  commands?: readonly AddCommand[];
  /** The help does not list it: it is for programs. */
  isHidden?: true;
  /** Printed below the options in its help: what else there is to know, and examples. */
  help: string;
  /** Resolves to the exit code. */
  run(given: Given<Options, Arguments>): Promise<number>;
}

/** What the user gave to a command. */
export interface Given<
  Options extends readonly OptionDeclaration[],
  Arguments extends readonly ArgumentDeclaration[],
> {
  flags: FlagsOf<Options>;
  words: WordsOf<Arguments>;
  /** The whole command line, for commands that describe it. */
  program: Command;
  /** Ends the command as a wrong option does: with the sentence, the command that helps, and exit code 2. */
  refuse(sentence: string): never;
}

/** This and `program.ts` are the only places where a command line meets Commander, whose own types are `any`. */
export function defineCommand<
  const Options extends readonly OptionDeclaration[] = readonly [],
  const Arguments extends readonly ArgumentDeclaration[] = readonly [],
>(declaration: CommandDeclaration<Options, Arguments>): AddCommand {
  return (parent, done) => {
    const command = parent
      .command(declaration.name, { hidden: declaration.isHidden ?? false })
      .description(declaration.description);
    for (const argument of declaration.arguments ?? []) command.addArgument(toArgument(argument));
    for (const option of declaration.options ?? []) command.addOption(toOption(option));
    // Otherwise it would take the options of a command below it for its own.
    if (declaration.commands !== undefined) command.enablePositionalOptions();
    for (const add of declaration.commands ?? []) add(command, done);
    // Commander passes the flags and the command after the words.
    command
      .addHelpText("after", () => toHelpText(declaration.help))
      .action(async (...words: WordsOf<Arguments>) => {
        const exitCode = await declaration.run({
          flags: command.opts<FlagsOf<Options>>(),
          words,
          program: rootOf(command),
          refuse: (sentence) => command.error(`error: ${sentence}`),
        });
        done(exitCode);
      });
  };
}

/** A command that only has commands of its own: `sessions list`, `sessions show`. */
export function defineGroup({
  name,
  description,
  commands,
  help,
}: {
  name: string;
  description: string;
  commands: readonly AddCommand[];
  /** Printed below the commands in its help. */
  help: string;
}): AddCommand {
  return (parent, done) => {
    const group = parent
      .command(name)
      .description(description)
      .helpCommand("help [command]", "show the help of a command")
      .addHelpText("after", () => toHelpText(help));
    for (const add of commands) add(group, done);
  };
}

/** Longer rows are hard to read, on however wide a terminal. */
const maxColumns = 100;

/** The paragraphs of a help text, as wide as the screen. Indented rows, such as examples, are left as they are: they are pasted. */
function toHelpText(help: string): string {
  const columns = Math.min(process.stdout.isTTY ? process.stdout.columns || 80 : 80, maxColumns);
  const rows: string[] = [];
  let paragraph = "";
  const endParagraph = (): void => {
    if (paragraph !== "") rows.push(...wrapText(paragraph, columns));
    paragraph = "";
  };
  for (const row of help.split("\n")) {
    const isProse = row !== "" && !row.startsWith(" ");
    if (isProse) paragraph += paragraph === "" ? row : ` ${row}`;
    else {
      endParagraph();
      rows.push(row);
    }
  }
  endParagraph();
  return `\n${rows.join("\n")}`;
}

function toArgument({ name, description, choices }: ArgumentDeclaration): Argument {
  const argument = new Argument(name, description);
  return choices === undefined ? argument : argument.choices([...choices]);
}

function toOption(declared: OptionDeclaration): Option {
  const option = new Option(declared.flags, declared.description);
  const { choices, parse } = declared;
  if (choices !== undefined) option.choices(choices).argParser((word) => parseChoice(word, choices));
  if (parse !== undefined) option.argParser(declared.isRepeatable ? collect(parse) : parse);
  if (declared.isRequired) option.makeOptionMandatory();
  if ("default" in declared) option.default(declared.default, declared.defaultText);
  if (declared.conflicts !== undefined) option.conflicts([...declared.conflicts]);
  if (declared.implies !== undefined) option.implies(declared.implies);
  return option;
}

/** Commander passes the value so far. */
function collect(parse: (text: string) => unknown): (text: string, before: unknown) => unknown[] {
  return (text, before) => [...(Array.isArray(before) ? before : []), parse(text)];
}

/** Names that other tools use for these values. */
const otherWords: Readonly<Record<string, string>> = {
  "stream-json": "ndjson",
  jsonl: "ndjson",
  md: "markdown",
  full: "full-access",
  yolo: "full-access",
  default: "full-access",
  plan: "read-only",
};

/** The error for a wrong word lists the right ones, and names the one that was probably meant. */
function parseChoice(word: string, choices: readonly string[]): string {
  if (choices.includes(word)) return word;
  const meant = suggest(word, choices) ?? otherWords[word.toLowerCase().replaceAll("_", "-")];
  const hint = meant !== undefined && choices.includes(meant) ? ` Did you mean ${meant}?` : "";
  throw new InvalidArgumentError(`It must be one of ${choices.join(", ")}.${hint}`);
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
