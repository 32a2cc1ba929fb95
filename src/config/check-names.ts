import { agents, findAgent } from "../agents/registry.js";
import { HarnessError } from "../errors.js";
import { suggestFrom } from "../text/suggest.js";
import { isProjectConfig } from "./locate-config.js";
import type { LoadedConfig } from "./read-config.js";

/** Checks that every agent named in these files is built in or defined by one of them. */
export function checkNames(files: readonly LoadedConfig[]): void {
  const own = new Set(files.flatMap(ownAgentsOf));
  const names = [...agents.map(({ id }) => id), ...own];
  for (const file of files) {
    refuseReplacements(file);
    for (const { name, path } of namesIn(file)) {
      if (own.has(name) || findAgent(name) !== undefined) continue;
      const place = `${file.path}:${file.lineOf(path)}`;
      const message = `${place}: unknown agent "${name}"${suggestFrom(name, names, "known agents")}`;
      throw new HarnessError("invalid_config", message);
    }
  }
}

/** The name of a built-in agent must mean that agent in every directory. */
function refuseReplacements(file: LoadedConfig): void {
  if (!isProjectConfig(file.path)) return;
  for (const name of ownAgentsOf(file)) {
    const builtIn = findAgent(name);
    if (builtIn === undefined) continue;
    const settings = file.values.agents?.[name] ?? {};
    const key = definingKeys.find((key) => settings[key] !== undefined) ?? "module";
    const place = `${file.path}:${file.lineOf(["agents", name, key])}`;
    const message = `${place}: "${name}" is ${builtIn.name}, and a project's file cannot replace a built-in agent; give your agent another name`;
    throw new HarnessError("invalid_config", message);
  }
}

/** The names of the custom agents that a file defines. */
export function ownAgentsOf({ values }: LoadedConfig): string[] {
  return Object.entries(values.agents ?? {}).flatMap(([name, settings]) =>
    definingKeys.some((key) => settings[key] !== undefined) ? [name] : [],
  );
}

/** The keys that make an agent of one's own. */
const definingKeys = ["module", "translator", "protocol"] as const;

interface NamedAgent {
  name: string;
  path: readonly string[];
}

function namesIn({ values }: LoadedConfig): NamedAgent[] {
  const { default_agent, agents: settings = {}, models = {} } = values;
  return [
    ...(default_agent === undefined ? [] : [{ name: default_agent, path: ["default_agent"] }]),
    ...Object.keys(settings).map((name) => ({ name, path: ["agents", name] })),
    ...Object.entries(settings).flatMap(([name, { translator }]) =>
      translator === undefined ? [] : [{ name: translator, path: ["agents", name, "translator"] }],
    ),
    ...Object.entries(models).flatMap(([model, ids]) =>
      Object.keys(ids)
        .filter((key) => key !== "description" && key !== "provider")
        .map((name) => ({ name, path: ["models", model, name] })),
    ),
  ];
}
