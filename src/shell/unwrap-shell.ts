import { parseScript } from "./parse-script.js";
import { programName } from "./program-name.js";
import { literalText, type ShellWord } from "./shell-word.js";

export const shells: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash"]);

/** Options that only say which files the shell loads first. */
const startupOptions = new Set(["-l", "--login", "--norc", "--noprofile"]);
const scriptOptions = new Set(["-c", "-lc", "-cl"]);

/** The wrapper of nearly every command of Codex. No character is special between single quotes, so no parser is needed. */
const plainWrapper = /^\/bin\/(?:ba|z)?sh -l?c '([^'\0]+)'$/;

/**
 * The script of `bash -lc SCRIPT`. Undefined for any other line: another option changes how the script runs, words
 * after the script are its parameters, and a redirection would be lost.
 */
export function unwrapShell(line: string): string | undefined {
  const plain = plainWrapper.exec(line)?.[1];
  if (plain !== undefined) return plain;
  const parts = parseScript(line);
  const [command, ...filters] = parts?.length === 1 ? (parts[0]?.pipeline ?? []) : [];
  if (command === undefined || filters.length > 0 || command.hasRedirections) return undefined;
  if (!shells.has(programName(command.program) ?? "")) return undefined;
  return scriptArgument(command.words);
}

function scriptArgument(words: readonly ShellWord[]): string | undefined {
  const count = words.findIndex(({ value }) => !scriptOptions.has(value) && !startupOptions.has(value));
  if (count === -1 || !words.slice(0, count).some(({ value }) => scriptOptions.has(value))) return undefined;
  const [first, ...rest] = words.slice(count);
  if (first?.value === "--") return rest.length === 1 ? literalText(rest[0]) : undefined;
  return rest.length > 0 || /^[-+]/.test(first?.value ?? "") ? undefined : literalText(first);
}
