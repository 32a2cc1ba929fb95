import { describeAgent } from "../describe-agent.js";

describeAgent({
  agent: "claude",
  usage: {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: ["cacheWrite"],
    outputTokens: ["output"],
  },
  skillFolder: ".claude/skills",
  keepsCallIds: true,
  announcesCalls: true,
  requestMark: '\\"status\\":\\"requesting\\"',
  showsThinking: true,
  omitted: { patch: "Claude Code has no patch tool" },
  differences: {
    subagent: {
      because: "what a subagent does is in the stream too",
      operations: [
        "subagent_started",
        "subagent: command echo helper > helper.trace ok",
        "subagent_completed ok",
      ],
    },
  },
});
