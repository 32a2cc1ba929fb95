import { qwen } from "../../src/agents/qwen/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

const gluedAnswers = "Qwen Code keeps the text of an answer that was cut and puts the next one behind it";
const hiddenWork = "Qwen Code does not print what a subagent does in the background";

describeConformance(qwen);
describeExpectedOutputs(qwen);
describeTruth(qwen, {
  scenarios: {
    "0.24.4-cutoff": {
      answer: gluedAnswers,
      tokens: "Qwen Code cannot count an answer that was cut before its numbers came",
    },
    "0.24.4-length": { answer: gluedAnswers },
    "0.24.4-mcp": { files: ".qwen/settings.json names the MCP server: it was written before the run" },
    "0.24.4-subagent": { files: hiddenWork },
    "0.24.4-twosubs": { files: hiddenWork },
  },
});
