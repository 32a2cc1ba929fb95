import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Argument, Command, Option } from "commander";
import { expect, it } from "vitest";
import { isDescribed } from "../../src/cli/completion/describe-program.js";
import { createProgram } from "../../src/cli/program.js";

/**
 * `docs/reference/cli.md` is written from the declarations of the commands. `HARNESS_ACCEPT=1 npx vitest run test/docs`
 * writes it again.
 */
const file = fileURLToPath(new URL("../../docs/reference/cli.md", import.meta.url));

it("docs/reference/cli.md has every command as it declares itself", () => {
  const text = render(createProgram(() => {}));
  if (process.env["HARNESS_ACCEPT"]) writeFileSync(file, text);
  const hint = "a command has changed: HARNESS_ACCEPT=1 npx vitest run test/docs writes the page again";
  expect(readFileSync(file, "utf8"), hint).toBe(text);
});

function render(program: Command): string {
  const all = commandsOf(program);
  return `# Commands

    harness run --agent claude --prompt "Fix the failing test"

Every command of \`harness\` with its arguments and options, as \`harness COMMAND --help\` prints them. A test writes this page from the commands.
\`harness help TOPIC\` explains what several commands share: events, formats, outcomes, configuration, permissions, security, agents.

${table(
  ["command", "what it does"],
  all.map((one) => [`[\`${pathOf(one)}\`](#${anchorOf(one)})`, cell(one.description())]),
)}

Every command has \`-h, --help\`. \`harness --version\` prints the version. [Outcomes](../outcomes.md#exit-codes) lists the exit codes.

${all.map(renderCommand).join("\n\n")}
`;
}

function renderCommand(command: Command): string {
  const usage = `    ${pathOf(command)} ${command.usage()}`.replace(" [command]", " COMMAND").trimEnd();
  const parts = [`## ${pathOf(command)}`, `${sentence(command.description())}`, usage.replaceAll("  ", "  ")];
  const words = command.registeredArguments;
  if (words.length > 0) parts.push(table(["argument", "meaning"], words.map(argumentRow)));
  const options = command.createHelp().visibleOptions(command).filter(isOwn);
  if (options.length > 0) parts.push(table(["option", "meaning", "default"], options.map(optionRow)));
  const help = helpAfter(command);
  if (help !== "") parts.push(`\`\`\`text\n${help}\n\`\`\``);
  return parts.join("\n\n");
}

function isOwn({ long }: Option): boolean {
  return long !== "--help" && long !== "--version";
}

function argumentRow(argument: Argument): string[] {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  const choices = argument.argChoices === undefined ? "" : `: ${codes(argument.argChoices)}`;
  return [`\`${argument.required ? `<${name}>` : `[${name}]`}\``, `${cell(argument.description)}${choices}`];
}

function optionRow(option: Option): string[] {
  const choices = option.argChoices === undefined ? "" : `: ${codes(option.argChoices)}`;
  const must = option.mandatory ? " (required)" : "";
  return [`\`${option.flags}\``, `${cell(option.description)}${choices}${must}`, defaultOf(option)];
}

function defaultOf({ defaultValue, defaultValueDescription, negate }: Option): string {
  if (defaultValueDescription !== undefined) return cell(defaultValueDescription);
  return defaultValue === undefined || negate ? "" : `\`${String(defaultValue)}\``;
}

/** What the help of a command has below its options. Commander keeps it as a listener only. */
function helpAfter(command: Command): string {
  const printed: string[] = [];
  command.configureOutput({ writeOut: (text) => void printed.push(text), getOutHasColors: () => false });
  command.outputHelp();
  return printed.join("").slice(command.helpInformation().length).trim();
}

/** Without those that the help hides, and without the `help` that each group has. */
function commandsOf(command: Command, path: readonly string[] = []): Command[] {
  const below = command.createHelp().visibleCommands(command);
  return below
    .filter((sub) => isDescribed(path, sub.name()))
    .flatMap((sub) => [sub, ...commandsOf(sub, [...path, sub.name()])]);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function anchorOf(command: Command): string {
  return pathOf(command).replaceAll(" ", "-");
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(" ");
}

/** Angle brackets and bars would be taken for markup. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "\\<");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
