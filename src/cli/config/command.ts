import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand, defineGroup } from "../define-command.js";
import { jsonOption } from "../shared-options.js";

const showOptions = [jsonOption] as const satisfies readonly OptionDeclaration[];
export type ShowFlags = FlagsOf<typeof showOptions>;

const show = defineCommand({
  name: "show",
  description: "show what is set, and where each value comes from",
  options: showOptions,
  help: `Example:
  harness config show --json`,
  run: async ({ flags }) => (await import("./action.js")).showAction(flags),
});

const path = defineCommand({
  name: "path",
  description: "show which files are read",
  help: `Example:
  harness config path`,
  run: async () => (await import("./action.js")).pathAction(),
});

const initOptions = [
  { flags: "--user", description: "write your own file instead of the project's" },
] as const satisfies readonly OptionDeclaration[];
export type InitFlags = FlagsOf<typeof initOptions>;

const init = defineCommand({
  name: "init",
  description: "write a harness.toml to start from",
  options: initOptions,
  help: `An existing file is never changed.

Examples:
  harness config init
  harness config init --user`,
  run: async ({ flags }) => (await import("./action.js")).initAction(flags),
});

export const configCommand = defineGroup({
  name: "config",
  description: "the configuration: harness.toml and your own file",
  commands: [show, path, init],
  help: `A project's harness.toml counts in its directory and below it, once you trust it (harness trust). Your own file counts
everywhere. Options of a command win over both.

Examples:
  harness config init
  harness config show
  harness help configuration`,
});
