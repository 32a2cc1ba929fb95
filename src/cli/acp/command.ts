import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { notEmpty } from "../option-values.js";
import { trustOption } from "../shared-options.js";

const options = [
  {
    flags: "-a, --agent <name>",
    description: "the agent to serve (default: default_agent of the configuration)",
    parse: notEmpty,
  },
  { flags: "-m, --model <model>", description: "the model of new sessions" },
  {
    flags: "--permissions <mode>",
    description:
      "what the agent may do without asking the editor (default: that of the configuration, else ask)",
    choices: ["ask", "read-only", "full-access"],
  },
  {
    flags: "--binary <path>",
    description: "the agent's program, instead of the one on PATH",
    parse: notEmpty,
  },
  { flags: "--redact", description: "mask keys and passwords in what is shown and recorded" },
  { flags: "--no-log", description: "do not record the sessions: they cannot be loaded later" },
  trustOption,
] as const satisfies readonly OptionDeclaration[];
export type AcpFlags = FlagsOf<typeof options>;

export const acpCommand = defineCommand({
  name: "acp",
  description: "serve an agent to editors that speak the Agent Client Protocol",
  arguments: [{ name: "[arguments...]", description: "more arguments for the agent, after --" }],
  options,
  help: `An editor starts this command and talks with it on standard input and output. Every agent that can hold a session can
be served. An agent that cannot ask for permission needs --permissions read-only or full-access.

In the settings of Zed:
  "agent_servers": { "Codex": { "command": "harness", "args": ["acp", "--agent", "codex"] } }

Examples:
  harness acp --agent codex
  harness acp --agent pi --permissions full-access
  harness acp --agent acp -- my-agent --acp`,
  async run({ flags, words: [words], refuse }) {
    const dashes = process.argv.indexOf("--");
    const passedOn = dashes === -1 ? 0 : process.argv.length - dashes - 1;
    const [unexpected] = words.slice(0, words.length - passedOn);
    if (unexpected !== undefined)
      refuse(
        `unexpected argument '${unexpected}': the agent is named with --agent; arguments for it go after --`,
      );
    return (await import("./action.js")).acpAction(words, flags);
  },
});
