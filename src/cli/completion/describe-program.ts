import type { Command, Option } from "commander";

/** What a shell needs to know of a command to complete it. */
export interface CommandShape {
  /** `[]` for the program itself, `["sessions", "list"]` for a subcommand. */
  path: readonly string[];
  description: string;
  subcommands: readonly { name: string; description: string }[];
  options: readonly OptionShape[];
}

export interface OptionShape {
  /** `["-f", "--format"]`. */
  flags: readonly string[];
  description: string;
  takesValue: boolean;
  /** The values to choose from, when they are few and known. */
  choices: readonly string[];
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
      options: command
        .createHelp()
        .visibleOptions(command)
        .map((option) => toShape(option, agents)),
    });
    for (const sub of subcommands) if (sub.name() !== "help") visit(sub, [...path, sub.name()]);
  };
  visit(program, []);
  return shapes;
}

const pathOptions: ReadonlySet<string> = new Set([
  "--cwd",
  "--binary",
  "--prompt-file",
  "--record",
  "--output-file",
  "--directory",
]);

function toShape(option: Option, agents: readonly string[]): OptionShape {
  const flags = [option.short, option.long].flatMap((flag) => flag ?? []);
  return {
    flags,
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.long === "--agent" ? agents : (option.argChoices ?? []),
    isPath: flags.some((flag) => pathOptions.has(flag)),
  };
}
