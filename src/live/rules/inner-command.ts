import type { FoundCommand } from "../../shell/script-contents.js";
import type { FoundWord } from "../../shell/word-shape.js";

/** A command that another one runs without changing what it does, and where it begins in the words of the other. */
export type Inner =
  | { readonly words: readonly FoundWord[]; readonly start: number }
  | { readonly script: string; readonly start: number };

/** How many words there are before the command, by the name of the wrapper. Undefined: not a form that is understood. */
const plainWrappers: Readonly<Record<string, (words: readonly string[]) => number | undefined>> = {
  command: ([first]) => (isPlain(first) ? 0 : undefined),
  builtin: ([first]) => (isPlain(first) ? 0 : undefined),
  exec: ([first]) => (isPlain(first) ? 0 : undefined),
  nohup: ([first]) => (isPlain(first) ? 0 : undefined),
  setsid: ([first]) => (isPlain(first) ? 0 : undefined),
  time: ([first]) => (first === "-p" ? 1 : isPlain(first) ? 0 : undefined),
  env: ([first]) => (isPlain(first) && !first?.includes("=") ? 0 : undefined),
  nice: ([first, second]) =>
    first === "-n" && /^-?\d+$/.test(second ?? "")
      ? 2
      : /^-\d+$/.test(first ?? "")
        ? 1
        : isPlain(first)
          ? 0
          : undefined,
  timeout: (words) => {
    const options = words.findIndex(
      (word) => !/^(?:-[ks]\w+|--(?:kill-after|signal)=\w+|--preserve-status|--foreground)$/.test(word),
    );
    return /^[\d.]+[smhd]?$/.test(words[options] ?? "") ? options + 1 : undefined;
  },
  stdbuf: (words) => {
    const options = words.findIndex((word) => !/^-[ioe][0L]$/.test(word));
    return options > 0 ? options : undefined;
  },
};

function isPlain(word: string | undefined): boolean {
  return word !== undefined && /^[^-]/.test(word);
}

export function innerOf({ words, assignments, documents }: FoundCommand): Inner | undefined {
  const [first, ...rest] = words;
  if (!first?.isCertain || assignments.length > 0) return undefined;
  const values = rest.map(({ value }) => value);
  const name = standardName(first.value);
  if (name === undefined) return undefined;
  if (name === "eval" && rest.length > 0 && rest.every(({ isCertain }) => isCertain))
    return { script: values.join(" "), start: 1 };
  if (scriptShells.has(name)) return documents.length > 0 ? undefined : scriptOf(rest);
  const before = plainWrappers[name]?.(values);
  if (before === undefined || !rest.slice(0, before + 1).every(({ isCertain }) => isCertain))
    return undefined;
  return before < rest.length ? { words: rest.slice(before), start: before + 1 } : undefined;
}

const scriptShells = new Set(["bash", "sh", "zsh", "dash"]);

/** The script of `bash -lc SCRIPT`, without parameters. */
function scriptOf(words: readonly FoundWord[]): Inner | undefined {
  const index = words.findIndex(({ value }) => !/^-/.test(value));
  const options = words.slice(0, index);
  const isKnown = options.every(({ value }) => /^(?:-[ceulx]+|--login|--norc|--noprofile)$/.test(value));
  const script = words[index];
  if (!isKnown || !script?.isCertain || words.length !== index + 1) return undefined;
  return options.some(({ value }) => /^-\w*c/.test(value))
    ? { script: script.value, start: index + 1 }
    : undefined;
}

/** The name of a program that is found on PATH or in a directory of the system. `./cat` and `/tmp/cat` may be anything. */
export function standardName(program: string): string | undefined {
  return /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/)?([^/]+)$/.exec(program)?.[1];
}
