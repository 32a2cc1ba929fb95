import { type CommandShape, isDescribed, type OptionShape } from "./describe-program.js";

/** A completion script for zsh, one function per command. */
export function zshCompletion(shapes: readonly CommandShape[]): string {
  return `#compdef harness
# zsh completion for harness. Install it with:
#   harness completion zsh > "\${fpath[1]}/_harness"
_harness_listed() {
  local value description
  local -a listed
  while IFS=$'\\t' read -r value description; do
    listed+=("\${value//:/\\\\:}:$description")
  done < <(harness complete "$1" 2>/dev/null)
  _describe -V "$1" listed
}
${shapes.map(functionOf).join("\n")}
_harness "$@"
`;
}

function functionOf(shape: CommandShape): string {
  const options = shape.options.map(optionSpec);
  if (shape.subcommands.length === 0) {
    const operand =
      shape.source !== undefined && shape.operands.length === 0
        ? `'*: :{_harness_listed ${shape.source}}'`
        : shape.operands.length > 0
          ? `'1: :(${shape.operands.join(" ")})'`
          : "'*:file:_files'";
    return `${nameOf(shape.path)}() {\n  _arguments -s ${[...options, operand].join(" \\\n    ")}\n}`;
  }
  const described = shape.subcommands.map(({ name, description }) => `'${name}:${protect(description)}'`);
  const cases = shape.subcommands
    .filter(({ name }) => isDescribed(shape.path, name))
    .map(({ name }) => `      ${name}) ${nameOf([...shape.path, name])} ;;`);
  return `${nameOf(shape.path)}() {
  local state
  _arguments -C ${[...options, "'1: :->command'", "'*:: :->rest'"].join(" \\\n    ")}
  case $state in
    command) local -a commands=(${described.join(" ")}); _describe command commands ;;
    rest) case $words[1] in
${cases.join("\n")}
    esac ;;
  esac
}`;
}

function optionSpec({ flags, description, takesValue, choices, source, isPath }: OptionShape): string {
  const value = !takesValue
    ? ""
    : source !== undefined && choices.length === 0
      ? `:value:{_harness_listed ${source}}`
      : choices.length > 0
        ? `:value:(${choices.join(" ")})`
        : isPath
          ? ":file:_files"
          : ":value:";
  const text = `[${protect(description).replaceAll("[", "(").replaceAll("]", ")")}]${value}`;
  return flags.length === 2 ? `'(${flags.join(" ")})'{${flags.join(",")}}'${text}'` : `'${flags[0]}${text}'`;
}

function nameOf(path: readonly string[]): string {
  return ["_harness", ...path].join("_").replaceAll("-", "_");
}

function protect(text: string): string {
  return text.replaceAll("'", "’").replaceAll(":", "\\:");
}
