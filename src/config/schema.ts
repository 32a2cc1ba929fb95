import * as v from "valibot";

const nonEmpty = v.pipe(v.string(), v.nonEmpty("must not be empty"));

const variableName = v.pipe(
  v.string(),
  v.regex(/^[^=\0]+$/, 'must not be empty or hold "=": it is the name of a variable'),
  v.regex(/^(?!HARNESS_)/i, "must not begin with HARNESS_: those variables are for harness itself"),
);

/** What becomes an argument of a program must not look like an option: some take it for one. */
export const modelName = v.pipe(
  nonEmpty,
  v.regex(/^[^\s-]\P{Cc}*$/u, "must not begin with a space or a hyphen, nor hold control characters"),
);

/** A TOML table; valibot's `record` takes a list for one. */
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

/** `[agents.NAME]`: settings of a built-in agent, or an agent of your own. */
export const AgentSettings = v.pipe(
  v.strictObject({
    /** The program, instead of the one on PATH. */
    binary: v.exactOptional(nonEmpty),
    model: v.exactOptional(modelName),
    extra_args: v.exactOptional(v.array(v.string())),
    env: v.exactOptional(tableOf(v.string(), variableName)),
    /** A module that default-exports a definition (`defineAgent`), seen from the file's folder. */
    module: v.exactOptional(nonEmpty),
    /** The built-in agent whose launcher and translator to use. */
    translator: v.exactOptional(nonEmpty),
  }),
  v.check(
    ({ module, translator }) => module === undefined || translator === undefined,
    "must have a module or a translator, not both",
  ),
);
export type AgentSettings = v.InferOutput<typeof AgentSettings>;

/** `[models.NAME]`: a name of your own for a model, with its id for each agent. */
export const ModelSettings = v.objectWithRest(
  { description: v.exactOptional(v.string()), provider: v.exactOptional(v.string()) },
  modelName,
);
export type ModelSettings = v.InferOutput<typeof ModelSettings>;

/** What `harness.toml` and the user's `config.toml` may say. */
export const ConfigFile = v.strictObject({
  default_agent: v.exactOptional(nonEmpty),
  default_model: v.exactOptional(modelName),
  default_permissions: v.exactOptional(v.picklist(["full-access", "read-only"])),
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
  agents: v.exactOptional(tableOf(AgentSettings)),
  models: v.exactOptional(tableOf(ModelSettings)),
});
export type ConfigFile = v.InferOutput<typeof ConfigFile>;

/** Keys that can stand at each place, for suggestions. */
export const knownKeys = {
  root: Object.keys(ConfigFile.entries),
  agents: Object.keys(AgentSettings.entries),
};
