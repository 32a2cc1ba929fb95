import type { Command, Option } from "commander";

/**
 * Refuses an option whose value is missing. Commander would take the next option for the value: `--model --dry-run`
 * would run, with a model of that name.
 */
export function refuseLostWords(program: Command, argv: readonly string[]): void {
  const words = argv.slice(2);
  const { command, at } = findCommand(program, words);
  const options = new Map(
    command.options.flatMap((option) =>
      [option.short, option.long].flatMap((flag) => (flag ? [[flag, option] as const] : [])),
    ),
  );
  for (let index = at; index < words.length && words[index] !== "--"; index++) {
    const option = options.get(words[index] ?? "");
    if (option === undefined || !option.required) continue;
    index += 1;
    const value = words[index] ?? "";
    const isOption = value === "--" || options.has(value);
    if (isOption && option.long !== forAgents) refuseSwallowed(command, option, value);
  }
}

/** Its value may look like an option, since it is meant for the agent. */
const forAgents = "--extra-args";

function refuseSwallowed(command: Command, option: Option, value: string): void {
  const next = value === "--" ? "" : `; to give it '${value}' as its value, write ${option.long}=${value}`;
  command.error(`error: ${option.long} needs a value${next}`);
}

function findCommand(program: Command, words: readonly string[]): { command: Command; at: number } {
  let command = program;
  let at = 0;
  for (; at < words.length; at++) {
    const next = command.commands.find((candidate) => candidate.name() === words[at]);
    if (next === undefined) break;
    command = next;
  }
  return { command, at };
}
