import { parse } from "unbash";
import { isQuickToParse } from "./parse-limits.js";
import { toShellWord } from "./shell-word.js";

/**
 * The words of a line as a shell splits them, quotes removed and nothing expanded. Undefined if the line is
 * more than plain words.
 */
export function splitWords(line: string): string[] | undefined {
  const script = `x ${line}`;
  if (!isQuickToParse(script)) return undefined;
  const { commands, errors } = parse(script);
  const command = commands.length === 1 ? commands[0]?.command : undefined;
  if (errors?.length || command?.type !== "Command" || command.redirects.length > 0) return undefined;
  const words: string[] = [];
  for (const argument of command.args) {
    const word = argument.type === "Word" ? toShellWord(argument) : undefined;
    if (word?.expansion !== "none") return undefined;
    words.push(word.value);
  }
  return words;
}
