import { outputNames } from "../../outputs/registry.js";
import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { refuseIdleThinking, thinkingOption } from "../shared-options.js";

const options = [
  { flags: "-a, --agent <name>", description: "whose recorded run to play", default: "claude" },
  {
    flags: "-f, --format <format>",
    description: "how to print the run",
    choices: outputNames,
    default: "text",
  },
  thinkingOption,
  { flags: "--fast", description: "skip the pauses of the run" },
  { flags: "--no-log", description: "do not record it" },
] as const satisfies readonly OptionDeclaration[];
export type DemoFlags = FlagsOf<typeof options>;

export const demoCommand = defineCommand({
  name: "demo",
  description: "play a recorded run of a real agent: no install, no key",
  options,
  help: `There are recorded runs of claude, codex, goose, opencode and pi.

Examples:
  harness demo
  harness demo --agent codex --format ndjson --fast | head`,
  async run({ flags, refuse }) {
    refuseIdleThinking({ flags, refuse });
    return (await import("./action.js")).demoAction(flags);
  },
});
