import type { LoadedConfig } from "./read-config.js";
import type { ConfigFile } from "./schema.js";

/**
 * The keys that a project's file may set without being trusted: names and limits. They run no code, change no environment,
 * contact no server and widen no permissions. Every other key needs trust, except that rules which deny or ask count as well.
 */
export const harmlessKeys: ReadonlySet<string> = new Set<keyof ConfigFile>([
  "default_agent",
  "default_model",
  "default_permissions",
  "default_timeout",
  "default_timeout_secs",
  "models",
]);

export interface RestrictedConfig {
  /** The file, reduced to what is in effect. */
  file: LoadedConfig;
  /** The keys that are not in effect. */
  withheld: readonly string[];
}

const strictness = { "full-access": 0, ask: 1, "read-only": 2 } as const;

/** Reduces an untrusted file to what is in effect. `ownPermissions` come from the user's own file. */
export function restrictConfig(
  file: LoadedConfig,
  ownPermissions: ConfigFile["default_permissions"],
): RestrictedConfig {
  const { default_permissions, permissions, ...rest } = file.values;
  const entries = Object.entries(rest).filter(([key]) => harmlessKeys.has(key));
  // It may ask for fewer permissions, never for more permissions.
  const isNarrower =
    default_permissions === "read-only" || (default_permissions === "ask" && ownPermissions !== "read-only");
  const values: ConfigFile = {
    ...Object.fromEntries(entries),
    ...(isNarrower && { default_permissions }),
    // Without its `allow` the file still has rules: what they do not name is asked.
    ...(permissions !== undefined && { permissions: { deny: permissions.deny, ask: permissions.ask } }),
  };
  const widens =
    !isNarrower &&
    strictness[default_permissions ?? "read-only"] < strictness[ownPermissions ?? "full-access"];
  return {
    file: { ...file, values },
    withheld: [
      ...(widens ? ["default_permissions"] : []),
      ...settingsThatNeedTrust(file.values).map(([key]) => key),
    ],
  };
}

/** The settings of a file that need trust, by the key as it is written there: `models_url`, `agents.claude.env.NAME`. */
export function settingsThatNeedTrust(values: ConfigFile): [key: string, value: unknown][] {
  return Object.entries(values)
    .filter(([key]) => !harmlessKeys.has(key))
    .flatMap(([key, value]): [string, unknown][] => {
      if (key === "agents") return settingsOf(values.agents ?? {});
      if (key !== "permissions") return [[key, value]];
      const allow = values.permissions?.allow ?? [];
      return allow.length === 0 ? [] : [["permissions.allow", allow]];
    });
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
