/**
 * What a command declares: options and arguments as data. The types of its flags and words are inferred from the
 * declarations, so that an option that is renamed does not compile where its value is read.
 */

export interface OptionDeclaration {
  /** As the help shows it: `-a, --agent <name>`, `--json`, `--no-log`, `--env <NAME=value...>`, `--from [agent]` (alone it is `true`). */
  flags: string;
  description: string;
  /** Turns the value into what the command works with. Throws an `InvalidArgumentError`. */
  parse?: (text: string) => unknown;
  /** The only values there are. */
  choices?: readonly string[];
  default?: unknown;
  /** How the help describes the default, if the value alone does not explain it. */
  defaultText?: string;
  isRequired?: true;
  /** It may be given several times, and its values become a list. Unlike `<x...>`, each takes only one word. */
  isRepeatable?: true;
  /** Keys of options that cannot be given together with it. */
  conflicts?: readonly string[];
  /** Values of other options that it brings along. */
  implies?: Readonly<Record<string, unknown>>;
}

export interface ArgumentDeclaration {
  /** `<id>`, `[file]` if it can be left out, `<id...>` for several. */
  name: string;
  description: string;
  choices?: readonly string[];
}

/** The value of every option by its key: `--prompt-file <file>` is `promptFile`. */
export type FlagsOf<Options extends readonly OptionDeclaration[]> = {
  readonly [Option in Options[number] as KeyOf<Option["flags"]>]: FlagOf<Option>;
};

/** The value of every argument, in order. */
export type WordsOf<Arguments extends readonly ArgumentDeclaration[]> = {
  [Index in keyof Arguments]: WordOf<Arguments[Index]>;
};

type KeyOf<Flags extends string> =
  LongNameOf<Flags> extends `no-${infer Name}` ? CamelCase<Name> : CamelCase<LongNameOf<Flags>>;

type LongNameOf<Flags extends string> = Flags extends `${string}--${infer Rest}`
  ? Rest extends `${infer Name} ${string}`
    ? Name
    : Rest
  : never;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type FlagOf<Option extends OptionDeclaration> =
  | ValueOf<Option>
  | (Option extends { default: unknown } | { isRequired: true } | { flags: `--no-${string}` }
      ? never
      : undefined);

type ValueOf<Option extends OptionDeclaration> = Option extends { isRepeatable: true }
  ? readonly OneValueOf<Option>[]
  : OneValueOf<Option>;

type OneValueOf<Option extends OptionDeclaration> = Option extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Option extends { parse: (text: string) => infer Value }
    ? Value
    : Option extends { flags: `${string}...>` }
      ? readonly string[]
      : Option extends { flags: `${string}>` }
        ? string
        : Option extends { flags: `${string}]` }
          ? string | true
          : boolean;

type WordOf<Argument extends ArgumentDeclaration> = Argument extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Argument extends { name: `${string}...${string}` }
    ? readonly string[]
    : Argument extends { name: `[${string}` }
      ? string | undefined
      : string;
