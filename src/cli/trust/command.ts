import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";

const options = [
  { flags: "-y, --yes", description: "do not ask" },
  { flags: "--list", description: "list what is trusted", conflicts: ["revoke", "yes"] },
  { flags: "--revoke", description: "stop trusting it", conflicts: ["yes"] },
  { flags: "--json", description: "print the list as JSON", implies: { list: true } },
] as const satisfies readonly OptionDeclaration[];
export type TrustFlags = FlagsOf<typeof options>;

export const trustCommand = defineCommand({
  name: "trust",
  description: "let a project's harness.toml run programs and set variables",
  arguments: [
    {
      name: "[path]",
      description: "the project's folder or its harness.toml; if left out, the harness.toml here or above",
    },
  ],
  options,
  help: `A harness.toml comes with the folder that it is in. Until you trust it, it may only set default_* and names of
models. Everything else that it sets is shown before you are asked. Trust ends when the file changes, or when a
module, program or script of the project that it names changes. In CI, use run --trust or HARNESS_TRUST=1.

Examples:
  harness trust
  harness trust --list
  harness trust --revoke ~/src/project`,
  run: async ({ flags, words: [path] }) => (await import("./action.js")).trustAction(path, flags),
});
