import { copilot } from "../../../src/agents/copilot/definition.js";
import { gemini } from "../../../src/agents/gemini/definition.js";
import { goose } from "../../../src/agents/goose/definition.js";
import { qwen } from "../../../src/agents/qwen/definition.js";
import { describeReplayed } from "../support/describe-replayed.js";

// Prompts, interrupts and answers that this client does not send at such a time, and methods that it does not use.
const without = [
  ...["interrupt-idle", "second-while-busy", "end-mid-turn", "permission-cancel-unanswered"],
  ...["modes", "tools-client", "goose-steer", "resume-2", "resume-3", "resume-settled-3"],
];

describeReplayed(goose, { folders: ["acp-goose"], without });
describeReplayed(copilot, { folders: ["acp-copilot"], without });
describeReplayed(gemini, { folders: ["acp-gemini"], without });
describeReplayed(qwen, { folders: ["acp-qwen"], without: [...without, "permission-cancelled"] });
