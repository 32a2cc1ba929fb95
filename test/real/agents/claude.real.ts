import { describeAgent } from "../describe-agent.js";
import { claude as claudeIsolation } from "../isolation/claude.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { describeAcp } from "../live/describe-acp.js";
import { describeChat } from "../live/describe-chat.js";
import { describeLive } from "../live/describe-live.js";
import { describeMcp } from "../live/describe-mcp.js";
import { liveProfiles } from "../live/profiles.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";
import type { AgentProfile } from "../profile.js";

const claude: AgentProfile = {
  agent: "claude",
  usage: {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: ["cacheWrite"],
    outputTokens: ["output"],
    reasoningTokens: ["reasoning"],
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
    background: {
      because: "Claude Code waits for what it has started, and asks the model again when it ends",
      text: "It has ended.",
      operations: ["command sleep 20; echo late > late.trace"],
      changes: { "late.trace": "late\n" },
      requests: 3,
    },
    latesubagent: {
      because: "Claude Code waits for what it has started, and what a subagent does is in the stream",
      text: "The helper is done.",
      operations: [
        "subagent_started",
        "subagent: command echo helper > helper.trace ok",
        "subagent_completed ok",
      ],
      changes: { "helper.trace": "helper\n" },
      requests: 5,
    },
    cutoff: {
      because: "Claude Code counts what it was sent of an answer that was cut, and the script does not",
      hasUsage: false,
    },
    terminated: {
      because: "when asked to end, Claude Code ends its command first, and reports that if it has time",
      operations: "*",
    },
    cancelled: {
      because: "when asked to end, Claude Code ends its command first, and reports that if it has time",
      operations: "*",
    },
  },
};

describeAgent(claude);

describeAgent({
  ...claude,
  version: "2.1.197",
  usage: {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: ["cacheWrite"],
    outputTokens: ["output"],
  },
  only: {
    scenarios: ["text", "files", "shell", "thinking", "subagent", "api401", "killed", "cancelled", "resume"],
    because: "an older version plays what its stream says in another way",
  },
});

describeLive(liveProfiles.claude);
describeChat("claude");
describeLive(liveProfiles["claude@2.1.197"]);
describeIsolation(claudeIsolation);
describeOptions(optionsProfiles.claude);
describeAcp("claude");
describeMcp("claude", { delegatesTo: "codex" });
