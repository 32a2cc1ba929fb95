import type { ShellWord } from "./shell-word.js";

/** The options of a program, as far as they decide what its other words mean. */
export interface OptionTable {
  /**
   * `gnu`: long options may be shortened. `rust`: `-g=VALUE` is `-g VALUE`. `plain`: a value in the word of a short
   * option is a number.
   */
  readonly dialect: "gnu" | "rust" | "plain";
  /** Letters of the short options that take a value, in the same word or the next one. */
  readonly short: string;
  /** Long options that must have a value, after `=` or in the next word. An optional value only comes after `=`. */
  readonly long: readonly string[];
  /** Options that write, run a program, print about the program itself, or differ between systems. */
  readonly refused: readonly string[];
  /** `-20` is an option. It is returned as `-#` with the value 20. */
  readonly takesNumber?: true;
}

export interface ScannedWords {
  readonly operands: readonly ShellWord[];
  readonly options: readonly ScannedOption[];
}

export interface ScannedOption {
  /** With its dashes. */
  readonly name: string;
  readonly value?: ShellWord;
}

/** Sorts a program's words into options and operands. Undefined if one is refused or not understood. */
export function scanWords(words: readonly ShellWord[], table: OptionTable): ScannedWords | undefined {
  if (words.some(({ expansion }) => expansion === "variable")) return undefined;
  const operands: ShellWord[] = [];
  const options: ScannedOption[] = [];
  const queue = words.values();
  let isPastOptions = false;
  for (const word of queue) {
    if (isPastOptions || !word.value.startsWith("-") || word.value === "-") {
      operands.push(word);
      continue;
    }
    isPastOptions = word.value === "--";
    if (isPastOptions) continue;
    // `rg -n "--continue|x"` is meant as a pattern, but the program reads it as an option.
    if (word.isQuoted) return undefined;
    const scanned = word.value.startsWith("--") ? scanLong(word, table) : scanShort(word, table);
    if (scanned === undefined) return undefined;
    for (const option of scanned) {
      if (!needsNextWord(option, table)) {
        options.push(option);
        continue;
      }
      const { value } = queue.next();
      if (value === undefined || value.expansion === "brace") return undefined;
      options.push({ name: option.name, value });
    }
  }
  return options.some(({ name }) => table.refused.includes(name)) ? undefined : { operands, options };
}

export function hasOption({ options }: ScannedWords, ...names: string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

export function optionValues({ options }: ScannedWords, ...names: string[]): readonly ShellWord[] {
  return options.flatMap(({ name, value }) => (value && names.includes(name) ? [value] : []));
}

function scanLong(word: ShellWord, { dialect, long, refused }: OptionTable): ScannedOption[] | undefined {
  const equals = word.value.indexOf("=");
  const name = equals === -1 ? word.value : word.value.slice(0, equals);
  const isShortened =
    dialect === "gnu" &&
    !long.includes(name.slice(2)) &&
    [...long.map((option) => `--${option}`), ...refused].some(
      (option) => option !== name && option.startsWith(name),
    );
  if (isShortened || (word.expansion === "brace" && name.includes("{"))) return undefined;
  return [equals === -1 ? { name } : { name, value: { ...word, value: word.value.slice(equals + 1) } }];
}

function scanShort(word: ShellWord, table: OptionTable): ScannedOption[] | undefined {
  if (word.expansion === "brace") return undefined;
  const letters = word.value.slice(1);
  if (table.takesNumber && /^\d/.test(letters)) {
    return /^\d+$/.test(letters) ? [{ name: "-#", value: { ...word, value: letters } }] : undefined;
  }
  const options: ScannedOption[] = [];
  for (let index = 0; index < letters.length; index++) {
    const letter = letters.charAt(index);
    const rest = table.short.includes(letter) ? letters.slice(index + 1) : "";
    if (rest === "") {
      options.push({ name: `-${letter}` });
      continue;
    }
    if (table.dialect === "plain" && !/^\d+$/.test(rest)) return undefined;
    const value = table.dialect === "rust" ? rest.replace(/^=/, "") : rest;
    return [...options, { name: `-${letter}`, value: { ...word, value } }];
  }
  return options;
}

function needsNextWord({ name, value }: ScannedOption, { short, long }: OptionTable): boolean {
  if (value !== undefined) return false;
  return name.startsWith("--") ? long.includes(name.slice(2)) : short.includes(name.slice(1));
}
