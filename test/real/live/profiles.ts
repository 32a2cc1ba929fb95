import { type Action, custom } from "../../../src/testing/index.js";
import { usualUsage } from "../scenarios/usual-files.js";
import type { LiveProfile } from "./live-profile.js";

/** The model asks the user to choose a colour, with the agent's own tool for it. */
function colourQuestion(tool: string, more: Readonly<Record<string, unknown>> = {}): Action {
  const options = [
    { label: "Red", description: "Warm" },
    { label: "Blue", description: "Cold" },
  ];
  return custom(tool, { questions: [{ question: "Which colour?", header: "Colour", options, ...more }] });
}

const usage = { inputTokens: usualUsage.input, outputTokens: usualUsage.output };
/** The client for Chat Completions of OpenCode and Kilo counts cache writes as input. */
const openCodeUsage = {
  inputTokens: usualUsage.input + usualUsage.cacheWrite,
  outputTokens: usualUsage.output,
};

const claude = {
  agent: "claude",
  question: colourQuestion("AskUserQuestion", { multiSelect: false }),
  usage,
} satisfies LiveProfile;

/** The agents whose real program plays a whole conversation, each with how it differs. docs/coverage.md lists them. */
export const liveProfiles = {
  claude,
  "claude@2.1.197": { ...claude, version: "2.1.197" },
  codex: { agent: "codex", question: colourQuestion("request_user_input", { id: "colour" }), usage },
  opencode: { agent: "opencode", question: colourQuestion("question"), usage: openCodeUsage },
  kilo: { agent: "kilo", question: colourQuestion("question"), usage: openCodeUsage },
  /** It asks no questions of its own. */
  pi: { agent: "pi", usage },
  "pi@0.74.2": { agent: "pi", version: "0.74.2", usage },
  goose: { agent: "goose" },
  gemini: { agent: "gemini", forgetsDenials: true },
  qwen: { agent: "qwen", denialEndsTurn: true },
  copilot: { agent: "copilot", denialEndsTurn: true, readsUnasked: true },
  grok: { agent: "grok", cannotAsk: "one process per turn" },
  kimi: { agent: "kimi", cannotAsk: "one process per turn" },
} as const satisfies Record<string, LiveProfile>;
