import type { IsolationProfile } from "./isolation-profile.js";

export const claude: IsolationProfile = {
  agent: "claude",
  planted: ({ server }) => ({
    ".claude/CLAUDE.md": "The word is marker-instructions.\n",
    ".claude/skills/planted/SKILL.md":
      "---\nname: planted\ndescription: Use it for marker-skill\n---\nDo it.\n",
    ".claude/settings.json": JSON.stringify({ language: "marker-setting" }),
    ".claude/.claude.json": JSON.stringify({ mcpServers: { planted: { type: "stdio", ...server } } }),
  }),
  inherited: {
    ".mcp.json": {
      content: '{"mcpServers":{"above":{"command":"touch","args":["{seen}/{marker}"]}}}',
    },
    "AGENTS.md": "it is read only where there is no CLAUDE.md at all",
    ".claude/AGENTS.md": "it is read only where there is no CLAUDE.md at all",
    ".claude/rules": { file: "planted.md", content: "The word is {marker}.\n" },
    ".claude/skills": {
      file: "above/SKILL.md",
      content: "---\nname: above\ndescription: Use it for {marker}\n---\nDo it.\n",
    },
    ".claude/agents": {
      file: "above.md",
      content: "---\nname: above\ndescription: Use it for {marker}\n---\nDo it.\n",
    },
  },
  credentials: {
    ".claude/.credentials.json": JSON.stringify({
      claudeAiOauth: {
        accessToken: "marker-credential",
        refreshToken: "refresh",
        expiresAt: 4_102_444_800_000,
        scopes: ["user:inference"],
      },
    }),
  },
};
