import { describeAgent } from "../describe-agent.js";

describeAgent({
  agent: "goose",
  usage: {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: ["cacheWrite"],
    outputTokens: ["output"],
  },
  countsSessions: true,
  skillFolder: ".agents/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: true,
  omitted: { patch: "Goose has no patch tool" },
});
