import { claude } from "../../../src/agents/claude/definition.js";
import { describeReplayed } from "../support/describe-replayed.js";

describeReplayed(claude, {
  folders: ["stream-json-claude-2.1.197", "stream-json-claude-2.1.325"],
  // Lines that this client never sends, prompts that it queues itself, and ends of input in the middle of a turn.
  without: [
    ...["garbage", "garbage-type", "controls", "no-initialize", "oneshot-for-comparison", "replay"],
    ...["interrupt-idle", "interrupt-queue", "second-while-busy-now", "second-while-busy-text"],
    ...["end-mid-turn", "end-while-asking", "resume-unknown"],
  ],
});
