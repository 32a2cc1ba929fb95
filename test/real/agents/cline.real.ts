import { describeAgent } from "../describe-agent.js";
import { cline } from "../isolation/cline.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";

describeAgent({
  agent: "cline",
  usage: {
    /** Its client for Chat Completions does not report cache writes. */
    inputTokens: ["input", "cacheWrite"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: [],
    outputTokens: ["output"],
  },
  tellsSession: false,
  skillFolder: ".cline/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: true,
  models: { patch: { model: "gpt-scripted" } },
  omitted: {
    resume: "Cline cannot resume a session without a terminal",
    latesubagent: "what works in the background is a team, and Cline waits for it",
  },
  differences: {
    files: {
      because: "its search takes no path, and what it runs to list a folder stays a command",
      operations: [
        "read README.md ok",
        "read src/app.ts:2-3 ok",
        "write created.txt ok",
        "read notes.txt ok",
        "write notes.txt ok",
        "search needle ok",
        "command ls src ok",
      ],
    },
    subagent: {
      because: "what a subagent does is in the stream too",
      operations: [
        "subagent_started",
        "subagent: command echo helper > helper.trace ok",
        "subagent_completed ok",
      ],
    },
    patch: {
      because: "Cline ends a file that a patch adds without a line break",
      changes: {
        "patched.txt": "added",
        "notes.txt": "FIRST line\nsecond line\nthird line\n",
        "old.txt": null,
      },
    },
    cutoff: {
      because: "Cline does not ask again after an answer that was cut",
      exitCode: 1,
      reason: "failed",
      failure: "network",
      text: "Half an answ",
      requests: 1,
      hasUsage: false,
    },
    terminated: {
      because:
        "Cline heeds SIGTERM only when it is done: its command times out after 30 s, and the model answers",
      exitCode: 0,
      reason: "completed",
      failure: undefined,
      text: "It ended.",
      operations: ["command echo begun > begun.trace; sleep 1000 failed"],
      requests: 2,
      hasUsage: true,
    },
    readonly: {
      because: "plan mode offers no tool that writes, so the model tries it with a command",
      operations: [
        "command printf %s 'written\n' > forbidden.txt failed",
        "command echo forbidden > forbidden.trace failed",
      ],
    },
    longprompt: {
      because: "Cline takes a prompt only as an argument, so this one is refused before anything runs",
      exitCode: 2,
      reason: "failed",
      text: undefined,
      requests: 0,
      hasUsage: false,
    },
  },
});

describeIsolation(cline);
describeOptions(optionsProfiles.cline);
