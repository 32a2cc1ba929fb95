import type { IsolationProfile } from "./isolation-profile.js";

export const goose: IsolationProfile = {
  agent: "goose",
  planted: ({ server }) => ({
    ".config/goose/.goosehints": "The word is marker-instructions.\n",
    ".config/goose/planted.md": "The word is marker-setting.\n",
    ".agents/skills/planted/SKILL.md":
      "---\nname: planted\ndescription: Use it for marker-skill\n---\nDo it.\n",
    ".config/goose/config.yaml": JSON.stringify({
      CONTEXT_FILE_NAMES: [".goosehints", "planted.md"],
      extensions: {
        developer: { type: "platform", name: "developer", enabled: true, bundled: true },
        skills: { type: "platform", name: "skills", enabled: true, bundled: true },
        planted: {
          type: "stdio",
          name: "planted",
          enabled: true,
          cmd: server.command,
          args: server.args,
          timeout: 30,
        },
      },
    }),
  }),
  credentials: { ".config/goose/secrets.yaml": "OPENAI_CUSTOM_HEADERS: marker-credential\n" },
};
