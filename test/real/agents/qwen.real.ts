import { describeAgent } from "../describe-agent.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { qwen as qwenIsolation } from "../isolation/qwen.js";
import { describeLive } from "../live/describe-live.js";
import { liveProfiles } from "../live/profiles.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";

describeAgent({
  agent: "qwen",
  usage: {
    /** Its client for Chat Completions does not report cache writes. */
    inputTokens: ["input", "cacheWrite"],
    cacheReadTokens: ["cacheRead"],
    outputTokens: ["output"],
  },
  countsSessions: true,
  countsSideRequests: true,
  skillFolder: ".qwen/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: true,
  omitted: {
    patch: "Qwen Code has no patch tool",
    cutoff: "Qwen Code asks the model to continue the half answer, and a script cannot continue its text",
  },
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
      because: "there is a way of its own, and the command is stopped when Qwen Code ends",
      operations: ["command sleep 20; echo late > late.trace"],
    },
    latesubagent: {
      because: "Qwen Code waits for what it has started, and asks the model again when it ends",
      text: "The helper is done.",
      operations: ["subagent_started", "subagent_completed ok"],
      changes: { "helper.trace": "helper\n" },
      requests: 5,
    },
    refused: {
      because: "Qwen Code tries for a minute and a half",
      options: ["--timeout", "10"],
      exitCode: 124,
      reason: "timed_out",
      failure: "timed_out",
    },
    killed: {
      because: "only its first process is killed: the second is ended by harness, and reports that",
      operations: "*",
    },
    terminated: {
      because: "when asked to end, Qwen Code ends its command first, and reports that if it has time",
      operations: "*",
    },
  },
});

describeLive(liveProfiles.qwen);

describeIsolation(qwenIsolation);
describeOptions(optionsProfiles.qwen);
