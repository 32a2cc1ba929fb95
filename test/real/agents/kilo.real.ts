import { describeAgent } from "../describe-agent.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { kilo } from "../isolation/opencode.js";
import { describeLive } from "../live/describe-live.js";
import { liveProfiles } from "../live/profiles.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";
import { stops } from "../scenarios/stops.js";

describeAgent({
  agent: "kilo",
  usage: {
    inputTokens: ["input", "cacheWrite"],
    cacheReadTokens: ["cacheRead"],
    /** Its client for Chat Completions does not report cache writes. */
    cacheWriteTokens: [],
    outputTokens: ["output"],
    reasoningTokens: ["reasoning"],
  },
  skillFolder: ".kilo/skills",
  keepsCallIds: true,
  announcesCalls: false,
  showsThinking: true,
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
  },
  only: {
    scenarios: ["text", "files", "shell", "api401", "resume", ...stops.map(({ name }) => name)],
    because: "Kilo takes 9 to 25 s to start, and its stream is OpenCode's",
  },
});

describeLive(liveProfiles.kilo);

describeIsolation(kilo);
describeOptions(optionsProfiles.kilo);
