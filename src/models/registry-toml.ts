import type { Price } from "../events/price.js";
import type { ModelEntry } from "./model-entry.js";
import type { Registry } from "./parse-registry.js";

/** Writes a registry as the TOML that `parseRegistry` reads. */
export function registryToml({ models, fetchedFrom, fetchedAt }: Registry): string {
  const head = table([
    ["fetched_from", fetchedFrom],
    ["fetched_at", fetchedAt],
  ]);
  return [head, ...Array.from(models, ([name, entry]) => modelToml(name, entry))].join("\n");
}

function modelToml(name: string, { description, provider, ids, price }: ModelEntry): string {
  const key = `models.${quote(name)}`;
  const lines = table([["description", description], ["provider", provider], ...ids]);
  return `[${key}]\n${lines}${price === undefined ? "" : `\n[${key}.price]\n${priceToml(price)}`}`;
}

function priceToml({ input, output, cacheRead, cacheWrite, date, source }: Price): string {
  return table([
    ["input", input],
    ["output", output],
    ["cache_read", cacheRead],
    ["cache_write", cacheWrite],
    ["date", date],
    ["source", source],
  ]);
}

function table(fields: readonly (readonly [key: string, value: string | number | undefined])[]): string {
  return fields
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${quote(key)} = ${typeof value === "string" ? quote(value) : value}\n`)
    .join("");
}

/** JSON strings are valid TOML strings, except that TOML requires DEL to be escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
