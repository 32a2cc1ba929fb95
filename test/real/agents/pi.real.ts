import { describeAgent } from "../describe-agent.js";
import { describeScriptedModel } from "../describe-scripted-model.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { pi as piIsolation } from "../isolation/pi.js";
import { describeLive } from "../live/describe-live.js";
import { liveProfiles } from "../live/profiles.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";
import type { AgentProfile } from "../profile.js";

const pi: AgentProfile = {
  agent: "pi",
  usage: {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: ["cacheWrite"],
    outputTokens: ["output"],
    reasoningTokens: ["reasoning"],
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
};

describeAgent(pi);

describeAgent({
  ...pi,
  version: "0.74.2",
  usage: {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: ["cacheWrite"],
    outputTokens: ["output"],
  },
  only: {
    scenarios: ["text", "files", "shell", "thinking", "toolerror", "api401", "killed", "cancelled", "resume"],
    because: "an older version plays what its stream says in another way",
  },
});

describeLive(liveProfiles.pi);
describeLive(liveProfiles["pi@0.74.2"]);

describeIsolation(piIsolation);
describeOptions(optionsProfiles.pi);
describeScriptedModel("pi");
