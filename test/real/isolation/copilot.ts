import type { IsolationProfile } from "./isolation-profile.js";

const skill = {
  file: "above/SKILL.md",
  content: "---\nname: {marker}\ndescription: Use it for {marker}\n---\nDo it.\n",
};
const agent = {
  file: "above.md",
  content: "---\nname: {marker}\ndescription: Use it for {marker}\n---\nDo it.\n",
};

export const copilot: IsolationProfile = {
  agent: "copilot",
  planted: ({ server, seen }) => ({
    ".copilot/copilot-instructions.md": "The word is marker-instructions.\n",
    ".agents/skills/planted/SKILL.md":
      "---\nname: planted\ndescription: Use it for marker-skill\n---\nDo it.\n",
    ".copilot/mcp-config.json": JSON.stringify({
      mcpServers: { planted: { type: "local", tools: ["*"], ...server } },
    }),
    ".copilot/hooks/planted.json": JSON.stringify({
      version: 1,
      hooks: { sessionStart: [{ type: "command", bash: `touch ${seen}/marker-setting` }] },
    }),
  }),
  inherited: {
    ".agents/skills": skill,
    ".claude/skills": skill,
    ".github/skills": skill,
    ".claude/agents": "Copilot looks for it, but did not offer such an agent to its model (1.0.102)",
    ".github/agents": agent,
    ".claude/commands": {
      file: "above-command.md",
      content: "---\ndescription: Use it for {marker}\n---\nDo it.\n",
    },
  },
  credentials: { ".config/gh/hosts.yml": "github.com:\n    oauth_token: marker-credential\n" },
};
