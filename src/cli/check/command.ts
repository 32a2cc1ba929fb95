import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { notEmpty } from "../option-values.js";
import { jsonOption, trustOption } from "../shared-options.js";

const options = [
  {
    flags: "--binary <path>",
    description: "the agent's program, instead of the one on PATH",
    parse: notEmpty,
  },
  jsonOption,
  trustOption,
] as const satisfies readonly OptionDeclaration[];
export type CheckFlags = FlagsOf<typeof options>;

export const checkCommand = defineCommand({
  name: "check",
  description: "check that an agent can be run here, and what it can do",
  arguments: [{ name: "<agent>", description: "the agent to check" }],
  options,
  help: `Only the names of variables that hold credentials are looked at, never their values.
The exit code is 127 if the agent cannot be run.

Examples:
  harness check codex
  harness check claude --json | jq .version`,
  run: async ({ flags, words: [agent] }) => (await import("./action.js")).checkAction(agent, flags),
});
