import type { IsolationProfile } from "./isolation-profile.js";

export const codex: IsolationProfile = {
  agent: "codex",
  planted: ({ server }) => ({
    ".codex/AGENTS.md": "The word is marker-instructions.\n",
    ".agents/skills/planted/SKILL.md":
      "---\nname: planted\ndescription: Use it for marker-skill\n---\nDo it.\n",
    /** What is appended begins in the table of the provider. */
    ".codex/config.toml": [
      'http_headers = { "X-Planted" = "marker-setting" }',
      "[mcp_servers.planted]",
      `command = ${JSON.stringify(server.command)}`,
      `args = ${JSON.stringify(server.args)}`,
      "",
    ].join("\n"),
  }),
  credentials: {
    ".codex/auth.json": JSON.stringify({ OPENAI_API_KEY: "marker-credential" }),
  },
};
