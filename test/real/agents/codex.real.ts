import { describeAgent } from "../describe-agent.js";
import { codex } from "../isolation/codex.js";
import { describeIsolation } from "../isolation/describe-isolation.js";
import { describeLive } from "../live/describe-live.js";
import { liveProfiles } from "../live/profiles.js";
import { describeOptions } from "../options/describe-options.js";
import { optionsProfiles } from "../options/profiles.js";

describeAgent({
  agent: "codex",
  usage: {
    inputTokens: ["input"],
    cacheReadTokens: ["cacheRead"],
    cacheWriteTokens: ["cacheWrite"],
    outputTokens: ["output"],
    reasoningTokens: ["reasoning"],
  },
  countsSessions: true,
  skillFolder: ".agents/skills",
  keepsCallIds: false,
  announcesCalls: true,
  showsThinking: true,
  countsSubagents: false,
  models: { subagent: { model: "gpt-5.1-codex" } },
  omitted: { latesubagent: "subagents that nobody waits for end with Codex; the script always waits" },
  differences: {
    background: {
      because: "a command that is not over goes on by itself, and ends with Codex",
      operations: ["command sleep 20; echo late > late.trace"],
    },
    toolerror: {
      because: "a call of a tool that Codex does not have is not in its stream",
      unrecognised: [],
      hiddenCalls: 1,
    },
    subagent: { because: "subagents work in the background, so the model also asks to wait", requests: 5 },
    skill: {
      because: "there is no skill tool: the model reads the file with a command",
      operations: ["read .agents/skills/greeter/SKILL.md ok"],
    },
    patch: {
      because: "Codex names the files of a patch by their paths' order",
      operations: ["write notes.txt ok", "write old.txt ok", "write patched.txt ok"],
    },
    readonly: {
      because: "a rejected patch is not in its stream, and a command only where its sandbox can be set up",
      operations: "*",
    },
  },
});

describeLive(liveProfiles.codex);

describeIsolation(codex);
describeOptions(optionsProfiles.codex);
