import type { IsolationProfile } from "./isolation-profile.js";

export const kimi: IsolationProfile = {
  agent: "kimi",
  planted: ({ server, seen }) => ({
    ".agents/AGENTS.md": "The word is marker-instructions.\n",
    ".agents/skills/planted/SKILL.md":
      "---\nname: planted\ndescription: Use it for marker-skill\n---\nDo it.\n",
    ".kimi-code/mcp.json": JSON.stringify({ mcpServers: { planted: server } }),
    ".kimi-code/config.toml": [
      "[[hooks]]",
      'event = "SessionStart"',
      `command = "touch ${seen}/marker-setting"`,
    ].join("\n"),
  }),
  credentials: {
    ".kimi-code/credentials/kimi-code.json": JSON.stringify({ access_token: "marker-credential" }),
  },
};
