import * as v from "valibot";

const nonEmpty = v.pipe(v.string(), v.nonEmpty("must not be empty"));

/** `[agents.NAME]`: settings of a built-in agent, or an agent of your own. */
export const AgentSettings = v.strictObject({
  /** The program, instead of the one on PATH. */
  binary: v.exactOptional(nonEmpty),
  model: v.exactOptional(nonEmpty),
  extra_args: v.exactOptional(v.array(v.string())),
  env: v.exactOptional(v.record(v.string(), v.string())),
  /** A module that default-exports a definition (`defineAgent`), seen from the file's folder. */
  module: v.exactOptional(nonEmpty),
  /** The built-in agent whose launcher and translator to use. */
  translator: v.exactOptional(nonEmpty),
});
export type AgentSettings = v.InferOutput<typeof AgentSettings>;

/** `[models.NAME]`: a name of your own for a model, with its id for each agent. */
export const ModelSettings = v.objectWithRest(
  { description: v.exactOptional(v.string()), provider: v.exactOptional(v.string()) },
  nonEmpty,
);
export type ModelSettings = v.InferOutput<typeof ModelSettings>;

/** What `harness.toml` and the user's `config.toml` may say. */
export const ConfigFile = v.strictObject({
  default_agent: v.exactOptional(nonEmpty),
  default_model: v.exactOptional(nonEmpty),
  default_permissions: v.exactOptional(v.picklist(["full-access", "read-only"])),
  default_timeout_secs: v.exactOptional(v.pipe(v.number(), v.gtValue(0, "must be above 0"))),
  /** Where `harness models update` fetches the model registry from. */
  models_url: v.exactOptional(v.pipe(v.string(), v.url("must be a URL"))),
  agents: v.exactOptional(v.record(v.string(), AgentSettings)),
  models: v.exactOptional(v.record(v.string(), ModelSettings)),
});
export type ConfigFile = v.InferOutput<typeof ConfigFile>;

/** Keys that can stand at each place, for suggestions. */
export const knownKeys = {
  root: Object.keys(ConfigFile.entries),
  agents: Object.keys(AgentSettings.entries),
};
