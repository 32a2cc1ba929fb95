import { kilo } from "../../../src/agents/kilo/definition.js";
import { opencode } from "../../../src/agents/opencode/definition.js";
import { describeReplayed } from "../support/describe-replayed.js";

// The transcripts of resumed sessions have no events. After the interrupt, the second prompt was sent before the turn had ended.
describeReplayed(opencode, {
  folders: ["serve-opencode"],
  without: ["all", "resume-1", "resume-2", "resume-process-1", "interrupt"],
});
describeReplayed(kilo, { folders: ["serve-kilo"], without: ["second-while-busy", "subagent", "interrupt"] });
