import { describeAgent } from "../describe-agent.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { goose } from "../isolation/goose.js";
import { describeLive } from "../live/describe-live.js";
import { liveProfiles } from "../live/profiles.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";

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
  differences: {
    cutoff: {
      because: "Goose does not ask again after an answer that was cut",
      exitCode: 1,
      reason: "failed",
      failure: "network",
      text: "Half an answ",
      requests: 1,
      hasUsage: false,
    },
  },
});

describeLive(liveProfiles.goose);

describeIsolation(goose);
describeOptions(optionsProfiles.goose);
