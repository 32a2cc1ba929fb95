import { findAgent } from "../agents/registry.js";
import { checkNames } from "./check-names.js";
import { findProjectConfig, userConfigPath } from "./locate-config.js";
import { type LoadedConfig, readConfig } from "./read-config.js";
import type { AgentSettings, ConfigFile, ModelSettings } from "./schema.js";

/** A setting and where it was made. */
export interface Setting<T> {
  value: T;
  /** `file:line`. */
  from: string;
}

/** The configuration that is in force: the project's file over the user's. */
export interface Config {
  /** The files that were read, the strongest first. */
  files: readonly LoadedConfig[];
  /** A setting at the top of a file. */
  get<K extends ScalarKey>(key: K): Setting<NonNullable<ConfigFile[K]>> | undefined;
  /** A setting of an agent, by any of its names. */
  agent<K extends keyof AgentSettings>(
    name: string,
    key: K,
  ): Setting<NonNullable<AgentSettings[K]>> | undefined;
  /** Models by name, the strongest file's first. */
  models(): Map<string, Setting<ModelSettings>>;
}

type ScalarKey = Exclude<keyof ConfigFile, "agents" | "models">;

export interface LoadOptions {
  cwd: string;
  env?: Readonly<Record<string, string | undefined>>;
}

export function loadConfig(options: LoadOptions): Config {
  const paths = [findProjectConfig(options.cwd), userConfigPath(options.env)];
  const files = paths.flatMap((path) => (path === undefined ? [] : (readConfig(path) ?? [])));
  checkNames(files);
  return createConfig(files);
}

export function createConfig(files: readonly LoadedConfig[]): Config {
  return {
    files,
    get(key) {
      for (const file of files) {
        const value = file.values[key];
        if (value !== undefined) return { value, from: place(file, [key]) };
      }
      return undefined;
    },
    agent(name, key) {
      for (const file of files) {
        for (const [agent, settings] of Object.entries(file.values.agents ?? {})) {
          const value = isSameAgent(agent, name) ? settings[key] : undefined;
          if (value !== undefined) return { value, from: place(file, ["agents", agent, key]) };
        }
      }
      return undefined;
    },
    models() {
      const models = new Map<string, Setting<ModelSettings>>();
      for (const file of files) {
        for (const [name, value] of Object.entries(file.values.models ?? {})) {
          if (!models.has(name)) models.set(name, { value, from: place(file, ["models", name]) });
        }
      }
      return models;
    },
  };
}

function place(file: LoadedConfig, path: readonly string[]): string {
  return `${file.path}:${file.lineOf(path)}`;
}

/** `claude` and `claude-code` are the same agent; an agent of the user's own has one name. */
function isSameAgent(a: string, b: string): boolean {
  return a === b || (findAgent(a) !== undefined && findAgent(a) === findAgent(b));
}
