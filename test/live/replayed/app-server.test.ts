import { codex } from "../../../src/agents/codex/definition.js";
import { describeReplayed } from "../support/describe-replayed.js";

// Lines that this client never sends, or not at such a time.
describeReplayed(codex, {
  folders: ["app-server-codex"],
  without: [
    ...["end-mid-turn", "interrupt-idle", "interrupted-early", "second-while-busy", "steer", "queued"],
    ...["not-initialized", "two-threads", "resume-2"],
  ],
});
