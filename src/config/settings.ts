import type { Config, Setting } from "./load-config.js";
import type { LoadedConfig } from "./read-config.js";

/** One effective value with its key (`agents.codex.model`) and its origin. */
export interface SettingRow extends Setting<unknown> {
  key: string;
}

/** All effective values, in the order of the files. The values of environment variables are not shown. */
export function listSettings(config: Config): SettingRow[] {
  const rows = new Map<string, SettingRow>();
  for (const file of config.files) {
    for (const row of rowsOf(file)) {
      // Rules of all files count.
      const shared = row.key === "default_timeout_secs" ? "default_timeout" : row.key;
      const key = row.key.startsWith("permissions.") ? `${row.key} ${row.from}` : shared;
      if (!rows.has(key)) rows.set(key, row);
    }
  }
  return [...rows.values()];
}

function rowsOf(file: LoadedConfig): SettingRow[] {
  const { agents, models, permissions, ...scalars } = file.values;
  const row = (path: readonly string[], value: unknown): SettingRow => ({
    key: path.join("."),
    value,
    from: `${file.path}:${file.lineOf(path)}`,
  });
  return [
    ...Object.entries(scalars).map(([key, value]) => row([key], value)),
    ...Object.entries(permissions ?? {}).flatMap(([list, rules]) =>
      rules === undefined ? [] : [row(["permissions", list], rules)],
    ),
    ...Object.entries(agents ?? {}).flatMap(([agent, settings]) =>
      Object.entries(settings).flatMap(([key, value]) =>
        key === "env"
          ? Object.keys(value).map((name) => row(["agents", agent, "env", name], hidden))
          : [row(["agents", agent, key], value)],
      ),
    ),
    ...Object.entries(models ?? {}).flatMap(([model, ids]) =>
      Object.entries(ids).map(([key, value]) => row(["models", model, key], value)),
    ),
  ];
}

const hidden = "(set; not shown)";
