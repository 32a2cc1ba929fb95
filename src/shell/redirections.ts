import type { Redirect, Redirection } from "unbash";
import { literalText, toShellWord } from "./shell-word.js";

export interface Redirections {
  /** The file that standard input comes from. */
  readonly input?: string;
}

const sinks = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);
const outputOperators = new Set([">", ">>", ">|", ">&", "&>", "&>>"]);

/**
 * Undefined if a redirection writes a file or passes text to the command. Output that is discarded or sent to another
 * descriptor does not change what was read. An empty input (`</dev/null`) is not an input.
 */
export function toRedirections(redirections: readonly Redirection[]): Redirections | undefined {
  let input: string | undefined;
  for (const redirection of redirections) {
    if (redirection.type !== "Redirect" || redirection.descriptor?.type === "FileDescriptorVariable")
      return undefined;
    const target = redirection.target && literalText(toShellWord(redirection.target));
    if (target === undefined) return undefined;
    if (isHarmlessOutput(redirection, target)) continue;
    if (redirection.operator !== "<" || (redirection.descriptor?.value ?? 0) !== 0) return undefined;
    if (target === "/dev/null") continue;
    if (input !== undefined) return undefined;
    input = target;
  }
  return input === undefined ? {} : { input };
}

function isHarmlessOutput({ operator }: Redirect, target: string): boolean {
  if (!outputOperators.has(operator)) return false;
  return sinks.has(target) || (operator === ">&" && /^(?:\d+-?|-)$/.test(target));
}
