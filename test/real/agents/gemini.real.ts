import { describeAgent } from "../describe-agent.js";

describeAgent({
  agent: "gemini",
  usage: {
    inputTokens: ["input", "cacheWrite"],
    cacheReadTokens: ["cacheRead"],
    outputTokens: ["output"],
  },
  skillFolder: ".gemini/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: false,
  omitted: { patch: "Gemini has no patch tool" },
});
