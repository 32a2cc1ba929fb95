import type { IsolationProfile } from "./isolation-profile.js";

type Inherited = NonNullable<IsolationProfile["inherited"]>;

const subagentOf = (word: string) => ({
  description: `Use it for ${word}`,
  mode: "subagent",
  prompt: "Do it.",
});

const skillOf = (name: string, word: string) =>
  `---\nname: ${name}\ndescription: Use it for ${word}\n---\nDo it.\n`;

/** A configuration with a subagent of its own name. */
const configOf = (name: string) => ({
  content: JSON.stringify({ agent: { [name]: subagentOf("{marker}") } }),
});

/**
 * Of a folder, only skills are planted: OpenCode installs packages for every folder that it finds, which takes long without a
 * network. Configurations and agents in such a folder were seen to be read as well.
 */
function foldersIn(folder: string, configs: readonly string[]): Inherited {
  const kinds = ["agent", "command", "mode", "plugin", "tool"];
  const others = [...configs, ...kinds, ...kinds.map((kind) => `${kind}s`), "skills"];
  const name = `in-${folder.slice(1)}`;
  return {
    ...Object.fromEntries(others.map((one) => [`${folder}/${one}`, "another of this folder is planted"])),
    [`${folder}/skill`]: { file: `${name}/SKILL.md`, content: skillOf(name, "{marker}") },
  };
}

/** OpenCode, and its fork under its own names. */
function profileOf(agent: "opencode" | "kilo", inherited: Inherited): IsolationProfile {
  return {
    agent,
    planted: ({ server: { command, args } }) => ({
      [`.config/${agent}/AGENTS.md`]: "The word is marker-instructions.\n",
      ".claude/skills/planted/SKILL.md": skillOf("planted", "marker-skill"),
      [`.config/${agent}/${agent}.json`]: JSON.stringify({
        agent: { planted: subagentOf("marker-setting") },
        mcp: { planted: { type: "local", command: [command, ...args], enabled: true } },
      }),
    }),
    inherited,
    credentials: {
      [`.local/share/${agent}/auth.json`]: JSON.stringify({
        openai: { type: "api", key: "marker-credential" },
      }),
    },
  };
}

export const opencode = profileOf("opencode", {
  "CLAUDE.md": "it is read only if there is no AGENTS.md",
  "CONTEXT.md": "it is read only if there is no AGENTS.md",
  ".claude/skills": { file: "in-claude/SKILL.md", content: skillOf("in-claude", "{marker}") },
  ".agents/skills": { file: "in-agents/SKILL.md", content: skillOf("in-agents", "{marker}") },
  "opencode.json": configOf("opencode-json"),
  "opencode.jsonc": configOf("opencode-jsonc"),
  ...foldersIn(".opencode", ["opencode.json", "opencode.jsonc"]),
});

const kiloConfigs = ["kilo.json", "kilo.jsonc", "opencode.json", "opencode.jsonc"];

export const kilo = profileOf("kilo", {
  ...Object.fromEntries(kiloConfigs.map((file) => [file, configOf(file.replace(".", "-"))])),
  ...foldersIn(".kilo", kiloConfigs),
  ...foldersIn(".kilocode", kiloConfigs),
});
