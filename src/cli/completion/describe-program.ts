import type { Command, Option } from "commander";
import { topics } from "../help-topics.js";

/** What a shell needs to know about a command to complete it. */
export interface CommandShape {
  /** `[]` for the program itself, `["sessions", "list"]` for a subcommand. */
  path: readonly string[];
  description: string;
  subcommands: readonly { name: string; description: string }[];
  /** The words that its first argument can be, if they are known. */
  operands: readonly string[];
  /** What `harness complete` lists for its arguments. */
  source?: string | undefined;
  options: readonly OptionShape[];
}

export interface OptionShape {
  /** `["-f", "--format"]`. */
  flags: readonly string[];
  description: string;
  takesValue: boolean;
  /** The values to choose from, if they are known. */
  choices: readonly string[];
  /** What `harness complete` lists for its value. */
  source?: string | undefined;
  /** The value is a file or a directory. */
  isPath: boolean;
}

/** Every command of the program with its options, as the program itself declares them. */
export function describeProgram(program: Command, agents: readonly string[]): CommandShape[] {
  const shapes: CommandShape[] = [];
  const visit = (command: Command, path: readonly string[]): void => {
    const subcommands = command.createHelp().visibleCommands(command);
    shapes.push({
      path,
      description: command.description(),
      subcommands: subcommands.map((sub) => ({ name: sub.name(), description: sub.description() })),
      operands: operandsOf(command, agents),
      source: sourceOfArgument(path, command.registeredArguments[0]?.name()),
      options: command
        .createHelp()
        .visibleOptions(command)
        .map((option) => toShape(option, agents)),
    });
    for (const sub of subcommands) if (isDescribed(path, sub.name())) visit(sub, [...path, sub.name()]);
  };
  visit(program, []);
  return shapes;
}

/** Groups have a `help` command of their own, which completes nothing that they do not list anyway. */
export function isDescribed(path: readonly string[], name: string): boolean {
  return name !== "help" || path.length === 0;
}

function operandsOf(command: Command, agents: readonly string[]): readonly string[] {
  const [first] = command.registeredArguments;
  if (command.name() === "help") return [...Object.keys(topics), ...siblingsOf(command)];
  return first?.name() === "agent" ? agents : (first?.argChoices ?? []);
}

function siblingsOf(command: Command): string[] {
  return (command.parent?.commands ?? []).map((sibling) => sibling.name());
}

/** Options and arguments whose values `harness complete` knows. */
const sourcesOfOptions: Readonly<Record<string, string>> = {
  "--agent": "agents",
  "--model": "models",
  "--resume": "sessions",
  "--batch": "batches",
};

function sourceOfArgument([group]: readonly string[], name: string | undefined): string | undefined {
  if (name === "agent") return "agents";
  if (name !== "id") return undefined;
  return group === "sessions" ? "sessions" : group === "batch" ? "batches" : undefined;
}

/** What a value is called that is a path. */
const pathValue = /<(?:path|file|directory)>/;

function toShape(option: Option, agents: readonly string[]): OptionShape {
  const flags = [option.short, option.long].flatMap((flag) => flag ?? []);
  return {
    flags,
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.long === "--agent" ? agents : (option.argChoices ?? []),
    source: sourcesOfOptions[option.long ?? ""],
    isPath: pathValue.test(option.flags),
  };
}
