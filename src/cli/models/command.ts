import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand, defineGroup } from "../define-command.js";
import { lengthOfTime, notEmpty } from "../option-values.js";
import { jsonOption } from "../shared-options.js";

const listOptions = [
  {
    flags: "-a, --agent <name>",
    description: "only names that this agent has an id for, with that id",
    parse: notEmpty,
  },
  jsonOption,
] as const satisfies readonly OptionDeclaration[];
export type ListFlags = FlagsOf<typeof listOptions>;

const list = defineCommand({
  name: "list",
  description: "list the names, and where each one is defined",
  options: listOptions,
  help: `Prices are US dollars per million tokens, input and output, of the vendor's own API.

Examples:
  harness models list --agent opencode
  harness models list --json`,
  run: async ({ flags }) => (await import("./list.js")).listModelsAction(flags),
});

const resolveOptions = [
  {
    flags: "-a, --agent <name>",
    description: "the agent (default: default_agent of the configuration)",
    parse: notEmpty,
  },
  jsonOption,
] as const satisfies readonly OptionDeclaration[];
export type ResolveFlags = FlagsOf<typeof resolveOptions>;

const resolve = defineCommand({
  name: "resolve",
  description: "print the id that an agent is given for a name",
  arguments: [{ name: "<name>", description: "a name from the list, or an agent's own id" }],
  options: resolveOptions,
  help: `The id goes to standard output, the explanation to standard error.

Examples:
  harness models resolve opus --agent opencode
  opencode run --model "$(harness models resolve opus -a opencode 2>/dev/null)"`,
  run: async ({ flags, words: [name] }) => (await import("./resolve.js")).resolveModelAction(name, flags),
});

const updateOptions = [
  {
    flags: "--timeout <time>",
    description: "give up after this time, such as 30s (default: 10s)",
    parse: lengthOfTime,
  },
  jsonOption,
] as const satisfies readonly OptionDeclaration[];
export type UpdateFlags = FlagsOf<typeof updateOptions>;

const update = defineCommand({
  name: "update",
  description: "fetch the registry of names from models_url",
  options: updateOptions,
  help: `models_url is set in harness.toml or in your own configuration file. A fetched registry is used for a day. After
that, a run fetches it again in the background; if that fails, the old one stays in use. A server that cannot be
reached is not an error (exit code 0). An answer that is not a registry is an error (exit code 1).

Example:
  harness models update`,
  run: async ({ flags }) => (await import("./update.js")).updateModelsAction(flags),
});

const pathOptions = [jsonOption] as const satisfies readonly OptionDeclaration[];
export type PathFlags = FlagsOf<typeof pathOptions>;

const path = defineCommand({
  name: "path",
  description: "print where the fetched registry is kept, and whether it is in use",
  options: pathOptions,
  help: `Example:
  cat "$(harness models path 2>/dev/null)"`,
  run: async ({ flags }) => (await import("./path.js")).modelsPathAction(flags),
});

export const modelsCommand = defineGroup({
  name: "models",
  description: "one name for a model with every agent, and what models cost",
  commands: [list, resolve, update, path],
  help: `--model takes a name of this list with every agent, and each gets the id that it knows the model by. A name that is not in
the list is passed on unchanged. Prices are per million tokens; they estimate the cost if an agent reports none.

Examples:
  harness models list --agent opencode
  harness models resolve opus --agent claude
  harness run --agent codex --model gpt-5 "Fix the test"`,
});
