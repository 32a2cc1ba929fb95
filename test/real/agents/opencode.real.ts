import { describeAgent } from "../describe-agent.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { opencode } from "../isolation/opencode.js";
import { describeLive } from "../live/describe-live.js";
import { liveProfiles } from "../live/profiles.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";

describeAgent({
  agent: "opencode",
  usage: {
    inputTokens: ["input", "cacheWrite"],
    cacheReadTokens: ["cacheRead"],
    /** Its client for Chat Completions does not report cache writes. */
    cacheWriteTokens: [],
    outputTokens: ["output"],
    reasoningTokens: ["reasoning"],
  },
  countsSubagents: false,
  skillFolder: ".opencode/skills",
  keepsCallIds: true,
  announcesCalls: false,
  showsThinking: true,
  models: { patch: { model: "gpt-5-scripted" } },
  omitted: { latesubagent: "OpenCode waits for its subagents" },
  stopped: { because: "a call is printed when it is over, never before", operations: [] },
  differences: {
    files: {
      because: "a folder is listed with the tool that reads files",
      operations: [
        "read README.md ok",
        "read src/app.ts:2-3 ok",
        "write created.txt ok",
        "read notes.txt ok",
        "write notes.txt ok",
        "search needle in src ok",
        "read src ok",
      ],
    },
    toolerror: {
      because: "a call of a tool that OpenCode does not have becomes one of its tool `invalid`",
      unrecognised: ["invalid"],
    },
    skill: {
      because: "OpenCode makes this file in every folder of its own that it finds",
      changes: {
        ".opencode/.gitignore": "node_modules\npackage.json\npackage-lock.json\nbun.lock\n.gitignore",
      },
    },
    readonly: {
      because:
        "tools that are denied are not offered, so calling them is calling tools that it does not have",
      operations: [],
      unrecognised: ["invalid"],
    },
    refused: {
      because: "OpenCode tries for ever, and says nothing",
      options: ["--timeout", "15"],
      exitCode: 124,
      reason: "timed_out",
      failure: "timed_out",
    },
    killed: { because: "a call is printed when it is over, never before", operations: [] },
    terminated: { because: "a call is printed when it is over, never before", operations: [] },
    subagent: {
      because: "a subagent is one line, printed when it is over",
      operations: ["subagent_completed ok"],
    },
  },
});

describeLive(liveProfiles.opencode);

describeIsolation(opencode);
describeOptions(optionsProfiles.opencode);
