import * as v from "valibot";
import { PermissionRules } from "../live/rules/rule.js";
import { durationRule, parseDuration } from "../text/duration.js";
import { variableNameRule } from "../text/option-parts.js";

const nonEmpty = v.pipe(v.string(), v.nonEmpty("must not be empty"));

const variableName = v.pipe(
  v.string(),
  v.regex(variableNameRule.pattern, variableNameRule.message),
  v.regex(/^(?!HARNESS_)/i, "must not begin with HARNESS_; these variables are reserved for harness"),
);

/** A model becomes an argument of a program and must not look like an option, which some programs would take it for. */
export const modelName = v.pipe(
  nonEmpty,
  v.regex(
    /^[^\s-]\P{Cc}*$/u,
    "must not begin with a space or a hyphen, and must not contain control characters",
  ),
);

/** A TOML table. Valibot's `record` alone would accept a list. */
function tableOf<const T extends v.GenericSchema>(
  value: T,
  key: v.GenericSchema<string, string> = v.string(),
) {
  return v.pipe(
    v.custom<Record<string, unknown>>((input) => isTable(input), "must be a table"),
    v.record(key, value),
  );
}

function isTable(input: unknown): boolean {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

/** `[agents.NAME]`: settings of a built-in agent, or a custom agent. */
export const AgentSettings = v.pipe(
  v.strictObject({
    /** The program to use instead of the one on PATH. */
    binary: v.exactOptional(nonEmpty),
    model: v.exactOptional(modelName),
    extra_args: v.exactOptional(v.array(v.string())),
    env: v.exactOptional(tableOf(v.string(), variableName)),
    /** A module that default-exports a definition (`defineAgent`). The path is relative to the configuration file. */
    module: v.exactOptional(nonEmpty),
    /** The built-in agent whose launcher and translator to use. */
    translator: v.exactOptional(nonEmpty),
    /** The protocol that the program speaks. `binary` and `extra_args` are its command. */
    protocol: v.exactOptional(v.picklist(["acp"], 'must be "acp"')),
  }),
  v.check(
    ({ module, translator, protocol }) =>
      [module, translator, protocol].filter((way) => way !== undefined).length <= 1,
    "must have a module, a translator or a protocol, and only one of them",
  ),
);
export type AgentSettings = v.InferOutput<typeof AgentSettings>;

/** `[models.NAME]`: a custom name for a model, with its id for each agent. */
export const ModelSettings = v.objectWithRest(
  { description: v.exactOptional(v.string()), provider: v.exactOptional(v.string()) },
  modelName,
);
export type ModelSettings = v.InferOutput<typeof ModelSettings>;

/** In the words of `--timeout`. */
const duration = v.custom<string | number>(
  (input) => (typeof input === "string" || typeof input === "number") && parseDuration(input) !== undefined,
  durationRule,
);

/** The content of `harness.toml` and of the user's `config.toml`. */
export const ConfigFile = v.pipe(
  v.strictObject({
    default_agent: v.exactOptional(nonEmpty),
    default_model: v.exactOptional(modelName),
    default_permissions: v.exactOptional(v.picklist(["full-access", "read-only", "ask"])),
    default_timeout: v.exactOptional(duration),
    /** The same in seconds. */
    default_timeout_secs: v.exactOptional(
      v.pipe(
        v.number(),
        v.gtValue(0, "must be above 0"),
        v.finite("must be finite; leave it out for no limit"),
      ),
    ),
    /** Where `harness models update` fetches the model registry from. */
    models_url: v.exactOptional(
      v.pipe(v.string(), v.url("must be a URL"), v.regex(/^https?:/i, "must begin with http:// or https://")),
    ),
    /** Rules for permissions. The rules of all files count. */
    permissions: v.exactOptional(PermissionRules),
    agents: v.exactOptional(tableOf(AgentSettings)),
    models: v.exactOptional(tableOf(ModelSettings)),
  }),
  v.forward(
    v.check(
      (file) => file.default_timeout === undefined || file.default_timeout_secs === undefined,
      "must not be set beside default_timeout_secs; leave one of them out",
    ),
    ["default_timeout"],
  ),
);
export type ConfigFile = v.InferOutput<typeof ConfigFile>;

/** The keys allowed at each level, for suggestions. */
export const knownKeys = {
  root: Object.keys(ConfigFile.entries),
  agents: Object.keys(AgentSettings.entries),
  permissions: Object.keys(PermissionRules.entries),
};
