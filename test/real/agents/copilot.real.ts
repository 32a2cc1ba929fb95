import { describeAgent } from "../describe-agent.js";
import { copilot as copilotIsolation } from "../isolation/copilot.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { describeLive } from "../live/describe-live.js";
import { liveProfiles } from "../live/profiles.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";

describeAgent({
  agent: "copilot",
  skillFolder: ".github/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: true,
  models: { patch: { api: "responses" } },
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
      because: "Copilot waits for what it has started, reads its output by itself, and asks the model again",
      text: "It has ended.",
      operations: ["command sleep 20; echo late > late.trace"],
      unrecognised: ["read_bash"],
      ownCalls: 1,
      changes: { "late.trace": "late\n" },
      requests: 3,
    },
    latesubagent: {
      because: "Copilot waits for what it has started, reads its answer by itself, and asks the model again",
      text: "The helper is done.",
      operations: [
        "subagent_started",
        "subagent: command echo helper > helper.trace ok",
        "subagent_completed ok",
      ],
      unrecognised: ["read_agent"],
      ownCalls: 1,
      changes: { "helper.trace": "helper\n" },
      requests: 5,
    },
  },
});

describeLive(liveProfiles.copilot);

describeIsolation(copilotIsolation);
describeOptions(optionsProfiles.copilot);
