import { describeAgent } from "../describe-agent.js";

describeAgent({
  agent: "cline",
  usage: {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: ["cacheWrite"],
    outputTokens: ["output"],
  },
  skillFolder: ".cline/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: true,
  models: { patch: { model: "gpt-scripted" } },
  omitted: { resume: "Cline cannot resume a session without a terminal" },
});
