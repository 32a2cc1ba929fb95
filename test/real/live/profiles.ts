import { custom } from "../../../src/testing/index.js";
import type { LiveProfile } from "./live-profile.js";

const claude = {
  agent: "claude",
  question: custom("AskUserQuestion", {
    questions: [
      {
        question: "Which colour?",
        header: "Colour",
        multiSelect: false,
        options: [
          { label: "Red", description: "Warm" },
          { label: "Blue", description: "Cold" },
        ],
      },
    ],
  }),
  usage: { inputTokens: 1000, outputTokens: 25 },
} satisfies LiveProfile;

/** The agents whose real program plays a whole conversation, each with how it differs. docs/coverage.md lists them. */
export const liveProfiles = {
  claude,
  "claude@2.1.197": { ...claude, version: "2.1.197" },
  grok: { agent: "grok", cannotAsk: "one process per turn" },
  kimi: { agent: "kimi", cannotAsk: "one process per turn" },
} as const satisfies Record<string, LiveProfile>;
