import { describeAgent } from "../describe-agent.js";

describeAgent({
  agent: "qwen",
  usage: {
    inputTokens: ["input", "cacheWrite"],
    cacheReadTokens: ["cacheRead"],
    outputTokens: ["output"],
  },
  skillFolder: ".qwen/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: true,
  omitted: { patch: "Qwen Code has no patch tool" },
});
