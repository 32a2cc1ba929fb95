import { kilo } from "../../../src/agents/kilo/definition.js";
import { opencode } from "../../../src/agents/opencode/definition.js";
import { describeReplayed } from "../support/describe-replayed.js";

// The turn after the interrupt has no end in the transcripts, and those of resumed sessions have no events.
const until = { interrupt: '"second"' };

describeReplayed(opencode, {
  folders: ["serve-opencode"],
  without: ["all", "resume-1", "resume-2", "resume-process-1"],
  until,
});
describeReplayed(kilo, { folders: ["serve-kilo"], without: ["second-while-busy", "subagent"], until });
