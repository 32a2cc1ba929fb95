import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { jsonOption, trustOption } from "../shared-options.js";

const options = [jsonOption, trustOption] as const satisfies readonly OptionDeclaration[];
export type ListFlags = FlagsOf<typeof options>;

export const listCommand = defineCommand({
  name: "list",
  description: "list the agents, and which of them are installed",
  options,
  help: `Examples:
  harness list
  harness list --json | jq -r '.[] | select(.isInstalled) | .agent'`,
  run: async ({ flags }) => (await import("./action.js")).listAction(flags),
});
