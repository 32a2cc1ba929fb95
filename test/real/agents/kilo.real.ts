import { describeAgent } from "../describe-agent.js";

describeAgent({
  agent: "kilo",
  usage: {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: ["cacheWrite"],
    outputTokens: ["output"],
    reasoningTokens: ["reasoning"],
  },
  skillFolder: ".kilo/skills",
  keepsCallIds: true,
  announcesCalls: false,
  showsThinking: true,
  only: {
    scenarios: ["text", "files", "shell", "api401", "cancelled", "resume"],
    because: "Kilo takes 9 to 25 s to start, and its stream is OpenCode's",
  },
});
