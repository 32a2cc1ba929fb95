import type { AgentDefinition } from "../definition.js";
import { geminiStreamedText } from "../shared/gemini-stream/streamed-text.js";
import { launchBob } from "./launch.js";
import { createBobMapping } from "./mapping.js";

export const bob: AgentDefinition<"bob"> = {
  id: "bob",
  name: "IBM Bob",
  aliases: ["ibm-bob", "bob-shell", "bob-cli"],
  binaries: ["bob"],
  /** No runs were recorded. The mapping follows public descriptions and captures of 1.0.4-1.0.6 and 2.0.x. */
  version: { args: ["--version"], recorded: [] },
  install: "curl -fsSL https://bob.ibm.com/download/bobshell.sh | bash",
  docs: "https://bob.ibm.com/docs/shell",
  /** The first is for 2.x, the second for 1.x. 2.x refuses to start if both are set. */
  credentials: ["BOB_API_KEY", "BOBSHELL_API_KEY"],
  signIn: "`bob login`",
  capabilities: {
    /** 2.x has only the setting `session.model`. 1.x takes `-m`, which can be an extra argument. */
    model: false,
    readOnly: true,
    systemPrompt: false,
    appendSystemPrompt: false,
    maxTurns: true,
    /** `--max-cost` counts Bobcoins. */
    maxBudgetUsd: false,
    resume: true,
  },
  /** There is no `isolation`: where it keeps its sign-in is not documented. */
  traits: { isStreaming: true },
  logMark: /^\{"type":"init",.*"model":"premium"|^\{"type":"result",.*"stats":\{.*"session_costs":/,
  streamedText: geminiStreamedText,
  launch: launchBob,
  createMapping: createBobMapping,
};
