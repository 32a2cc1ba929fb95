import type { IsolationProfile } from "./isolation-profile.js";

export const gemini: IsolationProfile = {
  agent: "gemini",
  planted: ({ server, seen }) => ({
    ".gemini/GEMINI.md": "The word is marker-instructions.\n",
    ".agents/skills/planted/SKILL.md":
      "---\nname: planted\ndescription: Use it for marker-skill\n---\nDo it.\n",
    ".gemini/settings.json": JSON.stringify({
      mcpServers: { planted: server },
      hooks: {
        SessionStart: [{ hooks: [{ type: "command", command: `touch ${seen}/marker-setting` }] }],
      },
    }),
  }),
  inherited: {
    ".gemini/.env": { content: "GEMINI_CLI_CUSTOM_HEADERS=X-Planted: {marker}\n" },
    ".env": "only the nearest such file is read",
  },
  credentials: { ".gemini/oauth_creds.json": JSON.stringify({ access_token: "marker-credential" }) },
};
