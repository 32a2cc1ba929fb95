import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { checkConfig } from "../../src/config/read-config.js";
import { harmlessKeys, settingsThatNeedTrust } from "../../src/config/restrict-config.js";
import { AgentSettings, ConfigFile, knownKeys } from "../../src/config/schema.js";
import { PermissionRules } from "../../src/live/rules/rule.js";

/**
 * `docs/reference/configuration.md` is written from the schema of the configuration and from the sentences and examples below.
 * `HARNESS_ACCEPT=1 npx vitest run test/docs` writes it again.
 */
const file = fileURLToPath(new URL("../../docs/reference/configuration.md", import.meta.url));

interface Key {
  meaning: string;
  /** Lines of TOML, in the table of the key. */
  example: string;
  /** What counts if it is left out. */
  otherwise?: string;
}

const root: Record<string, Key> = {
  default_agent: {
    meaning: "the agent of `harness run` without `--agent`",
    example: 'default_agent = "claude"',
    otherwise: "the only agent that is installed",
  },
  default_model: {
    meaning: "the model of every agent that has none of its own: a name of `harness models list`, or an id",
    example: 'default_model = "sonnet"',
    otherwise: "the agent's own",
  },
  default_permissions: {
    meaning: "what an agent may do ([permissions](../permissions.md))",
    example: 'default_permissions = "read-only"',
    otherwise: '`"full-access"`: changes files and runs commands without asking',
  },
  default_timeout: {
    meaning: 'a run ends after this time: `"90s"`, `"10m"`, `"1h30m"`, or a number of seconds',
    example: 'default_timeout = "30m"',
    otherwise: "no limit",
  },
  default_timeout_secs: {
    meaning: "the same, as a number of seconds. Set only one of them",
    example: "default_timeout_secs = 1800",
    otherwise: "no limit",
  },
  models_url: {
    meaning: "where `harness models update` fetches names of models from ([models](../models.md))",
    example: 'models_url = "https://example.com/models.toml"',
    otherwise: "nothing is fetched",
  },
  permissions: {
    meaning: "rules: what an agent may do, operation by operation ([table below](#permissions))",
    example: 'permissions = { allow = ["read"], deny = ["read: .env*"] }',
    otherwise: "no rules",
  },
  agents: {
    meaning: "settings of built-in agents, and agents of your own ([table below](#agentsname))",
    example: 'agents = { claude = { model = "opus" } }',
  },
  models: {
    meaning: "names of your own for models ([table below](#modelsname))",
    example: 'models = { big = { claude = "claude-opus-4-8" } }',
  },
};

const agent: Record<string, Key> = {
  binary: {
    meaning: "the program to start: a path, or a name to look for on PATH",
    example: 'binary = "/usr/local/bin/claude"',
    otherwise: "the agent's own name on PATH",
  },
  model: { meaning: "the model of this agent", example: 'model = "opus"', otherwise: "`default_model`" },
  extra_args: {
    meaning: "arguments that are passed on as they are",
    example: 'extra_args = ["--effort", "high"]',
  },
  env: { meaning: "variables of the agent's environment", example: 'env = { IS_SANDBOX = "1" }' },
  module: {
    meaning:
      "a module that default-exports an agent; the path is relative to the file ([custom agents](../custom-agents.md))",
    example: 'module = "./parrot.mjs"',
  },
  translator: {
    meaning: "the built-in agent whose launcher and translator a program of yours uses",
    example: 'translator = "claude"',
  },
  protocol: { meaning: "the protocol that a program of yours speaks", example: 'protocol = "acp"' },
};

const permission: Record<string, Key> = {
  allow: {
    meaning: "may be done without asking",
    example: 'allow = ["read", "search", "command: npm test"]',
  },
  deny: {
    meaning: "is never done, whatever others allow",
    example: 'deny = ["read: .env*", "command: git push *"]',
  },
  ask: {
    meaning: "is asked; in `harness run` nobody can answer, so it is denied",
    example: 'ask = ["fetch"]',
  },
};

const models: Record<string, Key> = {
  description: { meaning: "what `harness models list` shows", example: 'description = "for hard problems"' },
  provider: { meaning: "who serves it", example: 'provider = "anthropic"' },
  "*AGENT*": {
    meaning: "the id that this agent gets",
    example: 'claude = "claude-opus-4-8"\ncodex = "gpt-6.1-sol"',
  },
};

it("every key of the schema is described, and no other", () => {
  expect(Object.keys(root)).toEqual(knownKeys.root);
  expect(Object.keys(agent)).toEqual(knownKeys.agents);
  expect(Object.keys(permission).sort()).toEqual([...knownKeys.permissions].sort());
});

it.each([
  ["", root],
  ["[agents.claude]", agent],
  ["[permissions]", permission],
  ["[models.big]", models],
] as const)("the examples below %s are valid", (head, keys) => {
  for (const { example } of Object.values(keys))
    expect(checkConfig("/p/harness.toml", `${head}\n${example}\n`).values).not.toEqual({});
});

it("docs/reference/configuration.md has every key", () => {
  const text = render();
  if (process.env["HARNESS_ACCEPT"]) writeFileSync(file, text);
  const hint = "a key has changed: HARNESS_ACCEPT=1 npx vitest run test/docs writes the page again";
  expect(readFileSync(file, "utf8"), hint).toBe(text);
});

function render(): string {
  return `# Configuration

\`\`\`toml
default_agent = "claude"
default_timeout = "30m"

[permissions]
allow = ["read", "search", "list", "command: npm test", "write: src/**"]
deny = ["read: .env*", "command: git push *"]

[agents.claude]
model = "opus"
\`\`\`

Save this as \`harness.toml\` in your project. It counts in that directory and below it. \`harness config init\` writes a file with every key, commented out.

## Which value counts

From the strongest to the weakest:

1. options of the command,
2. \`harness.toml\` here or in the nearest directory above,
3. your own \`~/.config/harness/config.toml\` (\`XDG_CONFIG_HOME\` moves it).

\`harness config show\` prints every value and the file that it comes from. Rules for permissions of both files count together.

## Trust

A project's \`harness.toml\` comes with its directory, so a clone could bring one that runs programs. Keys marked "needs trust" have no effect until you run
\`harness trust\`, which shows what the file sets and asks. Trust ends when the file changes. Your own \`config.toml\` needs none. [Security](../security.md) has the details.

## Keys

${table(["key", "type", "default", "needs trust", "meaning"], rowsOf(root, ConfigFile.entries, needsTrust))}

${examples("", root)}

## permissions

Rules for agents that can ask. Deny comes before ask, and ask before allow. [Permissions](../permissions.md) explains the patterns.

${table(
  ["key", "type", "default", "needs trust", "meaning"],
  rowsOf(permission, PermissionRules.entries, (key) => trustOf({ permissions: { [key]: ["read"] } })),
)}

${examples("[permissions]", permission)}

## agents.NAME

Settings of one agent. NAME is the id of a built-in agent, or the name of an agent of your own, which has a \`module\`, a \`translator\` or a \`protocol\`.

${table(
  ["key", "type", "default", "needs trust", "meaning"],
  rowsOf(agent, AgentSettings.entries, (key) =>
    trustOf({ agents: { x: { [key]: key === "env" ? { A: "b" } : "x" } } }),
  ),
)}

${examples("[agents.claude]", Object.fromEntries(Object.entries(agent).slice(0, 4)))}

\`\`\`toml
[agents.parrot]
module = "./parrot.mjs"
\`\`\`

## models.NAME

A name of your own for a model. \`harness run --model NAME\` then gives each agent its own id.

${table(
  ["key", "type", "default", "needs trust", "meaning"],
  rowsOf(models, {}, () => ""),
)}

${examples("[models.big]", models)}
`;
}

/** Asks the code that decides about trust. */
function trustOf(values: ConfigFile | Record<string, unknown>): string {
  return settingsThatNeedTrust(values as ConfigFile).length > 0 ? "yes" : "";
}

function needsTrust(key: string): string {
  if (key === "default_permissions") return "to widen them";
  if (key === "permissions") return "`allow`";
  return harmlessKeys.has(key) ? "" : "yes";
}

interface Schema {
  type: string;
  options?: readonly unknown[];
  wrapped?: Schema;
  pipe?: readonly Schema[];
}

function rowsOf(keys: Record<string, Key>, entries: object, trust: (key: string) => string): string[][] {
  return Object.entries(keys).map(([key, { meaning, otherwise = "" }]) => {
    const schema = (entries as Record<string, Schema>)[key];
    const name = key.startsWith("*") ? "*the id of an agent*" : `\`${key}\``;
    return [name, schema === undefined ? "string" : typeOf(schema), otherwise, trust(key), meaning];
  });
}

/** The type as TOML has it. */
function typeOf(schema: Schema): string {
  if (schema.wrapped !== undefined) return typeOf(schema.wrapped);
  if (schema.options !== undefined) return schema.options.map((word) => `\`"${String(word)}"\``).join(", ");
  const names: Record<string, string> = { array: "list of strings", custom: "table", strict_object: "table" };
  return names[schema.type] ?? schema.type;
}

function examples(head: string, keys: Record<string, Key>): string {
  const lines = Object.values(keys).map(({ example }) => example);
  return ["```toml", ...(head === "" ? [] : [head]), ...lines, "```"].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
