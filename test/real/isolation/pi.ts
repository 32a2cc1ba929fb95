import type { IsolationProfile } from "./isolation-profile.js";

export const pi: IsolationProfile = {
  agent: "pi",
  planted: ({ server }) => ({
    ".pi/agent/AGENTS.md": "The word is marker-instructions.\n",
    ".agents/skills/planted/SKILL.md":
      "---\nname: planted\ndescription: Use it for marker-skill\n---\nDo it.\n",
    ".pi/agent/mcp.json": JSON.stringify({ mcpServers: { planted: server } }),
    ".pi/agent/APPEND_SYSTEM.md": "The word is marker-setting.\n",
  }),
  inherited: {
    "AGENTS.MD": "some file systems do not tell it from AGENTS.md",
    "CLAUDE.MD": "some file systems do not tell it from CLAUDE.md",
    ".agents/skills": "it is read only in a directory that the user's settings trust",
  },
  credentials: {
    ".pi/agent/auth.json": JSON.stringify({ anthropic: { type: "api_key", key: "marker-credential" } }),
  },
};
