import { describeAgent } from "../describe-agent.js";

describeAgent({
  agent: "copilot",
  skillFolder: ".github/skills",
  keepsCallIds: true,
  announcesCalls: true,
  showsThinking: true,
  models: { patch: { api: "responses" } },
});
