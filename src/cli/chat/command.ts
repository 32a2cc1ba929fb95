import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { notEmpty, permissionModes } from "../option-values.js";
import { formatOption, refuseIdleThinking, thinkingOption, trustOption } from "../shared-options.js";

const options = [
  {
    flags: "-a, --agent <name>",
    description:
      "the agent to talk with (default: default_agent of the configuration, else the only one installed)",
    parse: notEmpty,
  },
  {
    flags: "-m, --model <model>",
    description: "the model to use: a name from harness models list, or the agent's own id",
  },
  {
    flags: "--permissions <mode>",
    description:
      "what the agent may do (default: default_permissions of the configuration, else ask, where the agent can ask)",
    choices: ["ask", ...permissionModes],
    conflicts: ["allow", "deny", "ask"],
  },
  {
    flags: "--allow <rule...>",
    description:
      'allow what a rule names, such as "read" or "command: npm test" (repeatable; see: harness help permissions)',
  },
  { flags: "--deny <rule...>", description: "deny what a rule names, whatever others allow (repeatable)" },
  { flags: "--ask <rule...>", description: "be asked about what a rule names (repeatable)" },
  {
    flags: "--resume <id>",
    description:
      'go on with an earlier session: the id of a recording (or its beginning, or "last"), or the agent\'s own id',
    parse: notEmpty,
  },
  {
    flags: "--attach <id>",
    description:
      'join a session that another process runs, such as harness view: its id (or its beginning, or "last")',
    parse: notEmpty,
    conflicts: ["resume", "agent", "model", "permissions", "allow", "deny", "ask", "cwd", "binary"],
  },
  { flags: "--cwd <directory>", description: "where the agent works", parse: notEmpty },
  {
    flags: "--binary <path>",
    description: "the agent's program, instead of the one on PATH",
    parse: notEmpty,
  },
  thinkingOption,
  formatOption,
  {
    flags: "--redact",
    description: "mask keys, passwords and the values of secret variables in what is printed and recorded",
  },
  { flags: "--no-log", description: "do not record the session; no other process can join it then" },
  trustOption,
] as const satisfies readonly OptionDeclaration[];
export type ChatFlags = FlagsOf<typeof options>;

export const chatCommand = defineCommand({
  name: "chat",
  description: "talk with an agent: prompts, permissions, interrupts",
  arguments: [
    { name: "[prompt]", description: "the first prompt, as one argument: quote several words" },
    { name: "[arguments...]", description: "more arguments for the agent, after --" },
  ],
  options,
  help: `On a terminal: Enter sends, Alt-Enter or \\ and Enter adds a line, Ctrl-C interrupts, Ctrl-D ends, /help shows the commands.
Otherwise each line of standard input is a prompt, and the chat ends with the input. Nobody can answer then: what the rules do not
allow is denied, and without rules the agent has full access, as in harness run.

Examples:
  harness chat
  harness chat "Why does the test for the cart fail?" -a claude
  harness chat -a codex --allow read --allow "command: npm test" --deny "command: git push *"
  harness chat --resume last
  harness chat --attach last
  printf 'List the tests\\nWhich of them are slow?\\n' | harness chat -a claude --allow read -f text

Exit codes: 0 success, 1 a turn failed, 2 usage or configuration, 127 not installed (harness help outcomes)`,
  async run({ flags, words: [first, rest], refuse }) {
    refuseIdleThinking({ flags, refuse });
    const words = first === undefined ? rest : [first, ...rest];
    return (await import("./action.js")).chatAction({ words, flags, refuse });
  },
});
