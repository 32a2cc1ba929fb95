import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import {
  lengthOfTime,
  notEmpty,
  permissionModes,
  positiveInteger,
  toPositiveNumber,
} from "../option-values.js";
import { trustOption } from "../shared-options.js";

const options = [
  {
    flags: "--agents <names...>",
    description: "only these agents may be run, separated by commas (default: all)",
  },
  {
    flags: "--directory <directory...>",
    description: "runs may work in this directory and below it (repeatable; default: here)",
  },
  {
    flags: "--permissions <mode>",
    description: "the most that a run may do (default: read-only)",
    choices: permissionModes,
    conflicts: ["allow", "deny"],
  },
  {
    flags: "--allow <rule...>",
    description:
      'runs may do what a rule names, such as "write: src/**" (repeatable; see: harness help permissions)',
  },
  { flags: "--deny <rule...>", description: "runs may not do what a rule names (repeatable)" },
  {
    flags: "--max-runs <n>",
    description: "how many runs may go on at once",
    parse: positiveInteger,
    default: 2,
  },
  {
    flags: "--max-depth <n>",
    description: "how deep runs may be nested: 1 means that a run started here starts no other",
    parse: positiveInteger,
    default: 1,
  },
  {
    flags: "--timeout <time>",
    description: "the longest that a run may take: 90s, 10m, 1h30m",
    parse: lengthOfTime,
    default: 30 * 60_000,
    defaultText: "30m",
  },
  {
    flags: "--max-budget-usd <amount>",
    description: "no new run is started when the runs of this server have cost this much",
    parse: toPositiveNumber,
  },
  { flags: "-m, --model <model>", description: "the model of runs that ask for none", parse: notEmpty },
  { flags: "--redact", description: "mask keys and passwords in what is returned and recorded" },
  { flags: "--no-log", description: "do not record the runs" },
  trustOption,
] as const satisfies readonly OptionDeclaration[];
export type McpFlags = FlagsOf<typeof options>;

export const mcpCommand = defineCommand({
  name: "mcp",
  description: "let an agent run other agents: a server of the Model Context Protocol",
  options,
  help: `An agent or an editor starts this command and talks with it on standard input and output. Its tools start a run of
any agent, follow it, return its result and cancel it. No run may do more than the options here say. All runs end when
the client goes away.

In Claude Code:
  claude mcp add harness -- harness mcp --agents codex,gemini

Examples:
  harness mcp
  harness mcp --permissions full-access --directory ~/work --max-runs 4
  harness mcp --agents codex --allow read --allow "write: src/**" --allow "command: npm test"`,
  run: async ({ flags }) => (await import("./action.js")).mcpAction(flags),
});
