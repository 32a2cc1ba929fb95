import { kilo } from "../../../src/agents/kilo/definition.js";
import { opencode } from "../../../src/agents/opencode/definition.js";
import { describeReplayed } from "../support/describe-replayed.js";

describeReplayed(opencode, { folders: ["serve-opencode"], without: ["all", "resume-process-1"] });
describeReplayed(kilo, { folders: ["serve-kilo"], without: [] });
