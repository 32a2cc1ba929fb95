import type { IsolationProfile } from "./isolation-profile.js";

export const grok: IsolationProfile = {
  agent: "grok",
  planted: ({ server }) => ({
    ".grok/AGENTS.md": "The word is marker-instructions.\n",
    ".agents/skills/planted/SKILL.md":
      "---\nname: planted\ndescription: Use it for marker-skill\n---\nDo it.\n",
    ".grok/config.toml": [
      "[mcp_servers.planted]",
      `command = ${JSON.stringify(server.command)}`,
      `args = ${JSON.stringify(server.args)}`,
    ].join("\n"),
    /** The settings of Claude Code count for Grok, too. */
    ".claude/rules/planted.md": "The word is marker-setting.\n",
  }),
  credentials: { ".grok/auth.json": JSON.stringify({ planted: { key: "marker-credential" } }) },
};
