import { cleanText } from "../../text/clean-text.js";

/*
 * The runner of GitHub Actions obeys lines of two forms, on both streams of a step (actions/runner, ActionCommand.cs):
 * `::name key=value::data`, with white space before it, and `##[name key=value]data`, anywhere in a line.
 */

export type CommandName = "group" | "endgroup" | "error" | "warning" | "add-mask";

/** Where an annotation is shown, and its title. What is undefined is left out. */
export interface CommandProperties {
  file?: string | undefined;
  line?: string | undefined;
  title?: string | undefined;
}

/** A line that the runner obeys. The values may hold anything. */
export function toCommand(name: CommandName, data = "", properties: CommandProperties = {}): string {
  const pairs = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [`${key}=${escapeProperty(value)}`],
  );
  return `::${name}${pairs.length === 0 ? "" : ` ${pairs.join(",")}`}::${escapeData(data)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** The runner looks for `::` after white space, and compares as a language does: some characters count as nothing. */
const commandStart = /^([\s\u0085\p{Cf}]*)(?=:\p{Cf}*:)/u;
const oldCommand = /##\[/g;

/**
 * Lines that the runner takes for text, whatever is in them, without terminal escapes. Where they would be commands, a
 * backslash shows: that is how the runner itself disarms them. Each line begins with `prefix`.
 */
export function toInertLines(text: string, prefix = ""): string[] {
  return cleanText(text)
    .split("\n")
    .map((line) => disarm(prefix + line));
}

function disarm(line: string): string {
  return line.replace(commandStart, "$1\\").replace(oldCommand, "##[\\");
}

/** The commands that test runners print themselves, and that can do nothing but annotate. */
const annotation = /^::(?:error|warning|notice)(?: [^\n]*?)?::/;

/** The same for a check: its own annotations are kept. */
export function toCheckLine(line: string): string {
  const [first = "", ...rest] = cleanText(line).split("\n");
  const kept = annotation.test(first) ? first.replace(oldCommand, "##[\\") : disarm(first);
  return [kept, ...rest.map(disarm)].join("\n");
}
