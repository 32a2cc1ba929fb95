import { claude } from "../../../src/agents/claude/definition.js";
import { describeReplayed } from "../support/describe-replayed.js";

describeReplayed(claude, {
  folders: ["stream-json-claude-2.1.197", "stream-json-claude-2.1.325"],
  without: ["garbage", "garbage-type", "end-mid-turn", "interrupt-idle", "oneshot-for-comparison", "no-initialize", "controls"],
});
