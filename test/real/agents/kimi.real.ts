import { describeAgent } from "../describe-agent.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { kimi as kimiIsolation } from "../isolation/kimi.js";
import { describeLive } from "../live/describe-live.js";
import { liveProfiles } from "../live/profiles.js";

describeAgent({
  agent: "kimi",
  skillFolder: ".kimi-code/skills",
  tellsSession: "atEnd",
  keepsCallIds: true,
  announcesCalls: false,
  showsThinking: false,
  omitted: {
    patch: "Kimi has no patch tool",
    readonly: "Kimi has no read-only mode without a terminal",
  },
  differences: {
    background: {
      because: "Kimi waits for what it has started, and asks the model again when it ends",
      text: "It has ended.",
      operations: ["command sleep 20; echo late > late.trace"],
      changes: { "late.trace": "late\n" },
      requests: 3,
    },
    latesubagent: {
      because: "Kimi waits for what it has started and asks the model again, and does not print its end",
      text: "The helper is done.",
      changes: { "helper.trace": "helper\n" },
      requests: 5,
    },
    killed: { because: "a call is printed when it is over, never before", operations: [] },
    terminated: {
      because: "when asked to end, Kimi ends its command first, and reports that",
      operations: ["command echo begun > begun.trace; sleep 1000 failed"],
    },
    refused: {
      because: "Kimi tries ten times, for minutes",
      options: ["--timeout", "10"],
      exitCode: 124,
      reason: "timed_out",
      failure: "timed_out",
    },
    longprompt: {
      because: "Kimi takes a prompt only as an argument, so this one is refused before anything runs",
      exitCode: 2,
      reason: "failed",
      text: undefined,
      requests: 0,
      hasUsage: false,
    },
  },
});

describeLive(liveProfiles.kimi);

describeIsolation(kimiIsolation);
