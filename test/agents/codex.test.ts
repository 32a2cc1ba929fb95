import { codex } from "../../src/agents/codex/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

describeConformance(codex);
describeExpectedOutputs(codex);
describeTruth(codex, {
  scenarios: {
    "0.166.0-image": { calls: "`view_image` is not an item" },
    "0.166.0-nested": { tokens: "the requests of subagents are not counted" },
    "0.166.0-patchmove": { files: "a file that is moved is named by its old path only" },
    "0.166.0-spoof": {
      calls: "a shell in a shell: both are removed from the command, and the input is quoted in another way",
    },
    "0.166.0-todo": { calls: "a list has other fields than the call: `in_progress` is lost" },
    "0.166.0-workdir": { calls: "the directory of a command is not reported" },
  },
});
