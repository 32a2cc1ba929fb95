import { describeAgent } from "../describe-agent.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { gemini } from "../isolation/gemini.js";
import { describeLive } from "../live/describe-live.js";
import { liveProfiles } from "../live/profiles.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";

describeAgent({
  agent: "gemini",
  usage: {
    /** This API has no cache writes. */
    inputTokens: ["input", "cacheWrite"],
    cacheReadTokens: ["cacheRead"],
    outputTokens: ["output"],
  },
  skillFolder: ".gemini/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: false,
  omitted: { patch: "Gemini has no patch tool", latesubagent: "Gemini waits for its subagents" },
  differences: {
    background: {
      because:
        "there is a way of its own: Gemini exits 5 to 10 s after its answer, and the command is stopped",
      operations: ["command sleep 20; echo late > late.trace"],
    },
    terminated: {
      because: "when asked to end, Gemini exits with 0 and without a final record",
      failure: "unknown",
    },
    cutoff: {
      because: "Gemini does not ask again after an answer that was cut",
      exitCode: 1,
      reason: "failed",
      failure: "network",
      text: "Half an answ",
      requests: 1,
      hasUsage: false,
    },
  },
});

describeLive(liveProfiles.gemini);

describeIsolation(gemini);
describeOptions(optionsProfiles.gemini);
