import type { CommandShape, OptionShape } from "./describe-program.js";

/** A completion script for bash: the words typed so far choose a row of a table. */
export function bashCompletion(shapes: readonly CommandShape[]): string {
  const words = shapes.map((shape) => `    "${shape.path.join(" ")}") words="${wordsOf(shape)}" ;;`);
  const names = shapes.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(" ")}"`);
  return `# bash completion for harness. Install it with:
#   harness completion bash > ~/.local/share/bash-completion/completions/harness
_harness_listed() {
  local value rest
  COMPREPLY=()
  while IFS=$'\\t' read -r value rest; do
    if [[ "$value" == "$2"* ]]; then COMPREPLY+=("$value"); fi
  done < <(harness complete "$1" 2>/dev/null)
}
_harness() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" word known
  local commands=(${names.join(" ")})
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    for known in "\${commands[@]}"; do
      if [[ "$known" == "\${command:+$command }$word" ]]; then command="$known"; break; fi
    done
  done
  case "$command $previous" in
${valueRows(shapes).join("\n")}
  esac
  case "$command" in
${words.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ "$current" == -* ]]; then return; fi
  case "$command" in
${argumentRows(shapes).join("\n")}
  esac
}
complete -o default -F _harness harness
`;
}

function wordsOf(shape: CommandShape): string {
  const options = shape.options.flatMap(({ flags }) => flags);
  return [...shape.subcommands.map(({ name }) => name), ...shape.operands, ...options].join(" ");
}

/** What completes the arguments of a command, where that has to be asked for. */
function argumentRows(shapes: readonly CommandShape[]): string[] {
  return shapes.flatMap(({ path, source }) =>
    source === undefined || source === "agents"
      ? []
      : [`    "${path.join(" ")}") _harness_listed ${source} "$current" ;;`],
  );
}

/** What completes the value of an option. */
function valueRows(shapes: readonly CommandShape[]): string[] {
  return shapes.flatMap((shape) =>
    shape.options
      .filter((option) => option.takesValue)
      .map((option) => {
        const patterns = option.flags.map((flag) => `"${shape.path.join(" ")} ${flag}"`).join(" | ");
        return `    ${patterns}) ${replyOf(option)}; return ;;`;
      }),
  );
}

/** Built-in agents are known without asking. */
function replyOf({ choices, source, isPath }: OptionShape): string {
  const known = choices.length > 0 ? `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current"))` : "";
  const asked = source === undefined ? "" : `_harness_listed ${source} "$current"`;
  if (known !== "" && asked !== "") return `${known}; if [[ \${#COMPREPLY[@]} -eq 0 ]]; then ${asked}; fi`;
  if (known !== "" || asked !== "") return known + asked;
  return isPath ? 'COMPREPLY=($(compgen -f -- "$current"))' : "COMPREPLY=()";
}
