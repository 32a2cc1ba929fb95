import { describeAgent } from "../describe-agent.js";

describeAgent({
  agent: "cline",
  usage: {
    /** Its client for chat completions does not know of cache writes. */
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
  omitted: { resume: "Cline cannot resume a session without a terminal" },
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
