import { asObject } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import { toJson, toPrettyJson } from "../../text/to-json.js";
import type { Excerpt, Isolation } from "../isolation.js";

/** What the providers of a user are asked for. The rest of their settings says who is asked, and as whom. */
const preferences: ReadonlySet<string> = new Set([
  "model",
  "reasoning",
  "maxTokens",
  "contextWindow",
  "timeout",
  "capabilities",
  "modelCatalog",
]);

/**
 * The file has the keys and tokens of the providers, their addresses, and the model that was used last. A key without its address would be
 * sent to another server. Cline writes the file in every run, so what it says about the model must not come back.
 */
const providers: Excerpt = {
  take(own) {
    const stored = asObject(parseJson(own));
    return stored && toJson(mapSettings(stored, withoutPreferences));
  },
  renew(own, used) {
    const stored = asObject(parseJson(own));
    const after = asObject(parseJson(used));
    if (stored === undefined || after === undefined) return undefined;
    let isRenewed = false;
    const renewed = mapSettings(stored, (settings, id) => {
      const auth = settingsOf(after, id)?.["auth"];
      if (auth === undefined || toJson(auth) === toJson(settings["auth"])) return settings;
      isRenewed = true;
      return { ...settings, auth };
    });
    return isRenewed ? toPrettyJson(renewed) : undefined;
  },
};

/**
 * `HOME` is moved too, because it also reads `~/.agents`, `~/Documents/Cline` and `~/Cline` (3.0.65). Above its working directory it
 * reads nothing but what the repository has.
 */
export const clineIsolation: Isolation = {
  variables: { HOME: "", CLINE_DIR: ".cline" },
  removed: [
    "CLINE_DATA_DIR",
    "CLINE_SANDBOX",
    "CLINE_SANDBOX_DATA_DIR",
    "CLINE_DB_DATA_DIR",
    "CLINE_SESSION_DATA_DIR",
    "CLINE_TEAM_DATA_DIR",
    "CLINE_PROVIDER_SETTINGS_PATH",
    "CLINE_GLOBAL_SETTINGS_PATH",
    "CLINE_MCP_SETTINGS_PATH",
    "CLINE_HOOKS_DIR",
  ],
  credentials: [{ in: "CLINE_DIR", file: "data/settings/providers.json", excerpt: providers }],
};

function mapSettings(
  stored: JsonObject,
  change: (settings: JsonObject, id: string) => JsonObject,
): JsonObject {
  const entries = Object.entries(asObject(stored["providers"]) ?? {}).map(([id, entry]) => {
    const settings = asObject(asObject(entry)?.["settings"]);
    return [id, settings ? { ...asObject(entry), settings: change(settings, id) } : entry];
  });
  return { ...stored, providers: Object.fromEntries(entries) as JsonObject };
}

function settingsOf(stored: JsonObject, id: string): JsonObject | undefined {
  return asObject(asObject(asObject(stored["providers"])?.[id])?.["settings"]);
}

function withoutPreferences(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !preferences.has(key)));
}
