import { codex } from "../../../src/agents/codex/definition.js";
import { describeReplayed } from "../support/describe-replayed.js";

describeReplayed(codex, {
  folders: ["app-server-codex"],
  without: [
    "end-mid-turn",
    "interrupt-idle",
    "second-while-busy",
    "interrupted-early",
    "not-initialized",
    "queued",
    "steer",
    "two-threads",
  ],
  until: { "resume-2": "Forked?" },
});
