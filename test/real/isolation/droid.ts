import type { IsolationProfile } from "./isolation-profile.js";

export const droid: IsolationProfile = {
  agent: "droid",
  planted: ({ server, seen }) => ({
    ".factory/AGENTS.md": "The word is marker-instructions.\n",
    ".agents/skills/planted/SKILL.md":
      "---\nname: planted\ndescription: Use it for marker-skill\n---\nDo it.\n",
    ".factory/mcp.json": JSON.stringify({ mcpServers: { planted: { type: "stdio", ...server } } }),
    ".factory/settings.json": JSON.stringify({
      hooks: { SessionStart: [{ hooks: [{ type: "command", command: `touch ${seen}/marker-setting` }] }] },
    }),
  }),
  inherited: {
    ".factory/settings.json": "they say what may be done, which the model does not see",
    ".factory/settings.local.json": "they say what may be done, which the model does not see",
  },
  credentials: { ".factory/auth.v2.file": "marker-credential", ".factory/auth.v2.key": "marker-credential" },
};
