import { codex } from "../../../src/agents/codex/definition.js";
import { describeReplayed } from "../support/describe-replayed.js";

describeReplayed(codex, { folders: ["app-server-codex"],
  without: ["end-mid-turn", "interrupt-idle", "second-while-busy", "not-initialized", "queued", "two-threads"],
  until: { "resume-2": "thread/fork" },
});
