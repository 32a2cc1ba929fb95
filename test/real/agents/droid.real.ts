import { describeAgent } from "../describe-agent.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { droid as droidIsolation } from "../isolation/droid.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";

describeAgent({
  agent: "droid",
  usage: {
    /** Its client for Chat Completions does not report cache writes. */
    inputTokens: ["input", "cacheWrite"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: [],
    outputTokens: ["output"],
  },
  skillFolder: ".factory/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: true,
  models: { patch: { api: "responses", model: "gpt-5.1-codex" } },
  omitted: {
    resume: "Droid fetches the session from its own server, which needs an account",
    latesubagent: "subagents need an account",
  },
  differences: {
    subagent: {
      because: "subagents need an account: without one, the call fails",
      operations: ["subagent_started", "subagent_failed failed"],
      changes: {},
      requests: 2,
    },
    background: {
      because: "there is a way of its own, and the command is stopped when Droid ends",
      operations: ["command sleep 20; echo late > late.trace"],
    },
    terminated: {
      because: "Droid takes SIGTERM for the end of its command, and asks the model again",
      exitCode: 0,
      reason: "completed",
      failure: undefined,
      text: "It ended.",
      operations: ["command echo begun > begun.trace; sleep 1000 failed"],
      requests: 2,
      hasUsage: true,
    },
  },
});

describeIsolation(droidIsolation);
describeOptions(optionsProfiles.droid);
