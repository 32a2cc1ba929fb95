import { describeAgent } from "../describe-agent.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { grok as grokIsolation } from "../isolation/grok.js";
import { describeLive } from "../live/describe-live.js";
import { liveProfiles } from "../live/profiles.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";

describeAgent({
  agent: "grok",
  usage: {
    /** Its client for Chat Completions does not report cache writes. */
    inputTokens: ["input", "cacheWrite"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: [],
    outputTokens: ["output"],
  },
  skillFolder: ".grok/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: true,
  omitted: {
    patch: "Grok has no patch tool",
    skill: "Grok has no skill tool",
    background:
      "Grok waits for the command, asks the model again if there is time, and prints nothing of that answer",
    latesubagent: "Grok prints what a subagent in the background does as its own, down to the final answer",
    cutoff: "Grok joins the half answer and the new one into one message",
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
    refused: {
      because: "Grok tries for ever, and says nothing",
      options: ["--timeout", "10"],
      exitCode: 124,
      reason: "timed_out",
      failure: "timed_out",
    },
    longprompt: {
      because: "Grok takes a prompt only as an argument, so this one is refused before anything runs",
      exitCode: 2,
      reason: "failed",
      text: undefined,
      requests: 0,
      hasUsage: false,
    },
  },
});

describeLive(liveProfiles.grok);

describeIsolation(grokIsolation);
describeOptions(optionsProfiles.grok);
