import { describeAgent } from "../describe-agent.js";

describeAgent({
  agent: "pi",
  usage: {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: ["cacheWrite"],
    outputTokens: ["output"],
  },
  skillFolder: ".pi/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: true,
  omitted: {
    subagent: "Pi has no subagents",
    latesubagent: "Pi has no subagents",
    patch: "Pi has no patch tool",
  },
  differences: {
    skill: {
      because: "there is no skill tool: the model reads the file",
      operations: ["read .pi/skills/greeter/SKILL.md ok"],
    },
  },
});
