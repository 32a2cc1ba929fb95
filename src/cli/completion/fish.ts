import type { CommandShape } from "./describe-program.js";

/** A completion script for fish: one line per word. */
export function fishCompletion(shapes: readonly CommandShape[]): string {
  const lines = shapes.flatMap((shape) => {
    const condition = conditionOf(shape, shapes);
    return [
      ...shape.subcommands.map(
        ({ name, description }) => `complete -c harness ${condition} -f -a ${name} -d ${quote(description)}`,
      ),
      ...(shape.source !== undefined
        ? [`complete -c harness ${condition} -f -k -a ${listed(shape.source, shape.operands)}`]
        : shape.operands.length > 0
          ? [`complete -c harness ${condition} -f -a ${quote(shape.operands.join(" "))}`]
          : []),
      ...shape.options.map((option) => {
        const flags = option.flags.map((flag) =>
          flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        );
        const value = !option.takesValue
          ? "-f"
          : option.source !== undefined
            ? `-x -k -a ${listed(option.source, option.choices)}`
            : option.choices.length > 0
              ? `-x -a ${quote(option.choices.join(" "))}`
              : option.isPath
                ? "-r -F"
                : "-x";
        return `complete -c harness ${condition} ${flags.join(" ")} ${value} -d ${quote(option.description)}`;
      }),
    ];
  });
  return `# fish completion for harness. Install it with:
#   harness completion fish > ~/.config/fish/completions/harness.fish
${lines.join("\n")}
`;
}

function conditionOf(shape: CommandShape, shapes: readonly CommandShape[]): string {
  const [first, second] = shape.path;
  if (first === undefined) return "-n __fish_use_subcommand";
  if (second !== undefined)
    return `-n '__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}'`;
  const own = shapes.filter(({ path }) => path.length === 2 && path[0] === first).map(({ path }) => path[1]);
  const none = own.length === 0 ? "" : `; and not __fish_seen_subcommand_from ${own.join(" ")}`;
  return `-n '__fish_seen_subcommand_from ${first}${none}'`;
}

/** Fish shows what follows a tab as the description. */
function listed(source: string, known: readonly string[]): string {
  return quote([...known, `(harness complete ${source} 2>/dev/null)`].join(" "));
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
