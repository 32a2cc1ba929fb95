import type { IsolationProfile } from "./isolation-profile.js";

export const qwen: IsolationProfile = {
  agent: "qwen",
  planted: ({ server, seen }) => ({
    ".qwen/QWEN.md": "The word is marker-instructions.\n",
    ".agents/skills/planted/SKILL.md":
      "---\nname: planted\ndescription: Use it for marker-skill\n---\nDo it.\n",
    ".qwen/settings.json": JSON.stringify({
      mcpServers: { planted: server },
      hooks: { SessionStart: [{ hooks: [{ type: "command", command: `touch ${seen}/marker-setting` }] }] },
    }),
  }),
  inherited: {
    ".env": "it sets variables, which the model does not see",
    ".qwen/.env": "it sets variables, which the model does not see",
  },
  credentials: { ".qwen/oauth_creds.json": JSON.stringify({ access_token: "marker-credential" }) },
};
