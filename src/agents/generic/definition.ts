import type { AgentDefinition } from "../definition.js";
import { launchGeneric } from "./launch.js";
import { createGenericMapping } from "./mapping.js";

/** Any other program: `harness run --agent generic --binary ./my-agent --prompt "…"`. */
export const generic: AgentDefinition<"generic"> = {
  id: "generic",
  name: "Generic program",
  aliases: ["generic-program"],
  /** No program is searched for. `--binary` (or `binary` in the configuration) names it. */
  binaries: [],
  version: { args: ["--version"], recorded: [] },
  install: "choose any program with --binary PROGRAM",
  docs: "https://www.npmjs.com/package/harness-stream",
  credentials: [],
  capabilities: {
    model: false,
    /** What the program may do is not known, so read-only cannot be requested. */
    readOnly: false,
    systemPrompt: false,
    appendSystemPrompt: false,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: false,
  },
  /** Many programs print nothing before they are done. */
  traits: { isStreaming: false },
  launch: launchGeneric,
  createMapping: createGenericMapping,
};
