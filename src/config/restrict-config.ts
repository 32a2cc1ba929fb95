import type { LoadedConfig } from "./read-config.js";
import type { ConfigFile } from "./schema.js";

/**
 * What a project's file may set without being trusted: names and limits, nothing that runs code, changes an
 * environment, reaches a server or widens permissions. A key that is not named here needs trust.
 */
export const harmlessKeys: ReadonlySet<string> = new Set<keyof ConfigFile>([
  "default_agent",
  "default_model",
  "default_permissions",
  "default_timeout_secs",
  "models",
]);

export interface RestrictedConfig {
  /** The file with nothing in it but what is in effect. */
  file: LoadedConfig;
  /** What it would set besides, by key. */
  withheld: readonly string[];
}

/** A file that is not trusted. `ownPermissions`: what the user's own file says about permissions. */
export function restrictConfig(
  file: LoadedConfig,
  ownPermissions: ConfigFile["default_permissions"],
): RestrictedConfig {
  const { default_permissions, ...rest } = file.values;
  const entries = Object.entries(rest).filter(([key]) => harmlessKeys.has(key));
  const values: ConfigFile = {
    ...Object.fromEntries(entries),
    // It may ask for fewer permissions, never for more.
    ...(default_permissions === "read-only" && { default_permissions }),
  };
  const widens = default_permissions === "full-access" && ownPermissions === "read-only";
  return {
    file: { ...file, values },
    withheld: [
      ...(widens ? ["default_permissions"] : []),
      ...settingsThatNeedTrust(file.values).map(([key]) => key),
    ],
  };
}

/** What a file sets that needs trust: `models_url`, `agents.claude.env.NAME`, as a reader finds it there. */
export function settingsThatNeedTrust(values: ConfigFile): [key: string, value: unknown][] {
  return Object.entries(values)
    .filter(([key]) => !harmlessKeys.has(key))
    .flatMap(([key, value]) =>
      key === "agents" ? settingsOf(values.agents ?? {}) : [[key, value] satisfies [string, unknown]],
    );
}

function settingsOf(agents: NonNullable<ConfigFile["agents"]>): [string, unknown][] {
  return Object.entries(agents).flatMap(([agent, settings]) =>
    Object.entries(settings).flatMap(([key, value]): [string, unknown][] =>
      key === "env"
        ? Object.entries(value).map(([name, text]) => [`agents.${agent}.env.${name}`, text])
        : [[`agents.${agent}.${key}`, value]],
    ),
  );
}
