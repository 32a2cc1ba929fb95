import { describeAgent } from "../describe-agent.js";

describeAgent({
  agent: "opencode",
  usage: {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: ["cacheWrite"],
    outputTokens: ["output"],
    reasoningTokens: ["reasoning"],
  },
  skillFolder: ".opencode/skills",
  keepsCallIds: true,
  announcesCalls: false,
  showsThinking: true,
  models: { patch: { model: "gpt-5-scripted" } },
});
