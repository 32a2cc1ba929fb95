import type { IsolationProfile } from "./isolation-profile.js";

export const cline: IsolationProfile = {
  agent: "cline",
  /** The provider is in the same file as the credentials, so a seed would take the place of the user's. The model is a setting. */
  isSeedless: true,
  task: { model: "scripted-model" },
  planted: ({ server }) => ({
    "Documents/Cline/Rules/planted.md": "The word is marker-instructions.\n",
    ".agents/skills/marker-skill/SKILL.md": "---\nname: marker-skill\ndescription: Use it\n---\nDo it.\n",
    ".cline/data/settings/cline_mcp_settings.json": JSON.stringify({ mcpServers: { planted: server } }),
  }),
  credentials: {
    ".cline/data/settings/providers.json": JSON.stringify({
      providers: {
        "openai-compatible": { settings: { model: "marker-setting" } },
        cline: {
          settings: { provider: "cline", auth: { accessToken: "marker-credential" } },
          updatedAt: "2026-01-01T00:00:00.000Z",
          tokenSource: "oauth",
        },
      },
    }),
  },
};
