import { findAgent } from "../agents/registry.js";
import { mergeRules, type PermissionRules } from "../live/rules/rule.js";
import { checkNames, ownAgentsOf } from "./check-names.js";
import { findProjectConfig, userConfigPath } from "./locate-config.js";
import { type LoadedConfig, readConfig } from "./read-config.js";
import { restrictConfig } from "./restrict-config.js";
import type { AgentSettings, ConfigFile, ModelSettings } from "./schema.js";
import { trustDirectory, trustStateOf } from "./trust-store.js";
import type { UntrustedFile } from "./untrusted-file.js";

/** A setting and its origin. */
export interface Setting<T> {
  value: T;
  /** `file:line`. */
  from: string;
}

/** The effective configuration: the project's file overrides the user's. */
export interface Config {
  /** The files that were read, in order of precedence, reduced to what is in effect. */
  files: readonly LoadedConfig[];
  /** The project's file, if a part of it is not in effect because it is not trusted. */
  untrusted?: UntrustedFile;
  /** A top-level setting. */
  get<K extends ScalarKey>(key: K): Setting<NonNullable<ConfigFile[K]>> | undefined;
  /** A setting of an agent, under any of its names. */
  agent<K extends keyof AgentSettings>(
    name: string,
    key: K,
  ): Setting<NonNullable<AgentSettings[K]>> | undefined;
  /** The rules of all files together. Undefined: there are none. */
  rules(): PermissionRules | undefined;
  /** Models by name, in order of precedence. */
  models(): Map<string, Setting<ModelSettings>>;
}

type ScalarKey = Exclude<keyof ConfigFile, "agents" | "models" | "permissions">;

export interface LoadOptions {
  cwd: string;
  env?: Readonly<Record<string, string | undefined>>;
  /** True trusts the project's file this time. By default the records of `harness trust` decide. */
  trust?: boolean | undefined;
}

/**
 * Reads the project's file and the user's own. A project's file comes with a directory that somebody else may have
 * written. Until the user trusts it, it may set only names of models, `default_*` and rules that deny or ask, and nothing in
 * it is executed.
 */
export function loadConfig({ cwd, env, trust = false }: LoadOptions): Config {
  const path = findProjectConfig(cwd);
  const project = path === undefined ? undefined : readConfig(path);
  const user = readConfig(userConfigPath(env));
  const own = user === undefined ? [] : [user];
  if (project === undefined) return checked(own, own);
  const all = [project, ...own];
  const state = trust ? { kind: "trusted" as const } : trustStateOf(project, trustDirectory(env));
  if (state.kind === "trusted") return checked(all, all);
  const { file, withheld } = restrictConfig(project, user?.values.default_permissions);
  const untrusted = { path: project.path, state, withheld, ownAgents: ownAgentsOf(project) };
  return checked(all, [file, ...own], withheld.length === 0 ? undefined : untrusted);
}

/** A mistake in a file is an error, whether the file is trusted or not. */
function checked(
  files: readonly LoadedConfig[],
  inEffect: readonly LoadedConfig[],
  untrusted?: UntrustedFile | undefined,
): Config {
  checkNames(files);
  return createConfig(inEffect, untrusted);
}

export function createConfig(files: readonly LoadedConfig[], untrusted?: UntrustedFile | undefined): Config {
  return {
    files,
    ...(untrusted !== undefined && { untrusted }),
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
    rules() {
      const sets = files.flatMap(({ values }) => values.permissions ?? []);
      return sets.length === 0 ? undefined : mergeRules(sets);
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

/** The path of the file that a setting comes from. */
export function fileOf({ from }: Setting<unknown>): string {
  return from.replace(/:\d+$/, "");
}

function place(file: LoadedConfig, path: readonly string[]): string {
  return `${file.path}:${file.lineOf(path)}`;
}

/** `claude` and `claude-code` are the same agent. A custom agent has one name. */
function isSameAgent(a: string, b: string): boolean {
  return a === b || (findAgent(a) !== undefined && findAgent(a) === findAgent(b));
}
