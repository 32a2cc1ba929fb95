import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { notEmpty, portNumber } from "../option-values.js";
import { formatOption, refuseIdleThinking, thinkingOption } from "../shared-options.js";

const options = [
  {
    flags: "--run <agent>",
    description: "run this agent once with the model, in a fresh directory and home, and stop",
    parse: notEmpty,
  },
  {
    flags: "--script <file>",
    description: "what the model answers: JSON or TOML (default: a script that fixes a failing test)",
    parse: notEmpty,
  },
  {
    flags: "--print-script",
    description: "print the script as JSON, to write another one from it, and stop",
    conflicts: ["run", "script"],
  },
  {
    flags: "--port <n>",
    description: "where the model listens on 127.0.0.1 (default: any free port)",
    parse: portNumber,
  },
  {
    flags: "--cwd <directory>",
    description: "with --run: where the agent works (default: a fresh directory with the script's files)",
    parse: notEmpty,
  },
  {
    flags: "--binary <path>",
    description: "with --run: the agent's program, instead of the one on PATH",
    parse: notEmpty,
  },
  thinkingOption,
  formatOption,
  { flags: "--no-log", description: "with --run: do not record the run" },
] as const satisfies readonly OptionDeclaration[];
export type ScriptedModelFlags = FlagsOf<typeof options>;

export const scriptedModelCommand = defineCommand({
  name: "scripted-model",
  description: "try a real agent offline, with a model that plays a script",
  arguments: [{ name: "[prompt]", description: "with --run: what the agent is asked" }],
  options,
  help: `The agent is the real program, with its real tools. Only the model is replaced: it needs no key, costs nothing, and always
answers the same. Without --run, the model serves until Ctrl-C, and the commands to paste are printed.

Examples:
  harness scripted-model --run claude
  harness scripted-model --run codex --script greet.json "Greet me" --format ndjson
  harness scripted-model --print-script > greet.json
  harness scripted-model --port 8080

A script: { "turns": [ [{ "say": "Let me look." }, { "readFile": "README.md" }], { "say": "It is a demo." } ] }
(see docs/testing.md)`,
  async run({ flags, words: [prompt], refuse }) {
    if (flags.run === undefined) {
      const idle = [
        ...(prompt === undefined ? [] : ["a prompt"]),
        ...(flags.cwd === undefined ? [] : ["--cwd"]),
        ...(flags.binary === undefined ? [] : ["--binary"]),
      ];
      if (idle.length > 0) refuse(`${idle.join(" and ")} needs --run AGENT, which runs an agent`);
    }
    refuseIdleThinking({ flags, refuse });
    return (await import("./action.js")).scriptedModelAction(prompt, flags);
  },
});
