import { grok } from "../../src/agents/grok/definition.js";
import { describeConformance } from "../support/conformance.js";
import { describeExpectedOutputs } from "../support/expected.js";
import { describeTruth } from "../support/truth.js";

const gluedAnswers = "Grok keeps the text of an answer that was cut and puts the next one behind it";
const calledLate = "without partial messages Grok prints a call when it has ended";

describeConformance(grok);
describeExpectedOutputs(grok);
describeTruth(grok, {
  /** It asks for a line for its dashboard. */
  endsWithAside: true,
  scenarios: {
    "1.0.41-cutoff": { answer: gluedAnswers },
    "partial-cutoff": { answer: gluedAnswers },
    "streaming-json-cutoff": { answer: gluedAnswers },
    "1.0.41-killed": { files: calledLate, calls: calledLate },
    "1.0.41-length": { tokens: "Grok does not count an answer that the limit of tokens has cut" },
  },
});
