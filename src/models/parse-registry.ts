import * as v from "valibot";
import { findAgent } from "../agents/registry.js";
import { describeIssue } from "../config/describe-issue.js";
import { modelName } from "../config/schema.js";
import { DocumentSyntaxError, parseToml } from "../config/toml-document.js";
import { HarnessError, messageOf } from "../errors.js";
import type { Price } from "../events/price.js";
import type { ModelEntry } from "./model-entry.js";

/** A model registry: `[models.NAME]` as in `harness.toml`, each with an optional `[models.NAME.price]`. */
export interface Registry {
  models: ReadonlyMap<string, ModelEntry>;
  /** Set by `harness models update` in the file that it writes. */
  fetchedFrom?: string;
  fetchedAt?: string;
}

const line = v.pipe(
  v.string(),
  v.maxLength(500),
  v.regex(/^\P{Cc}*$/u, "must be text without control characters"),
);
const modelId = v.pipe(line, modelName);

const usd = v.pipe(v.number(), v.finite(), v.minValue(0, "must not be below 0"));

/** Unknown keys are ignored: a later version may have defined them. */
const PriceTable = v.object({
  input: usd,
  output: usd,
  cache_read: v.exactOptional(usd),
  cache_write: v.exactOptional(usd),
  date: v.exactOptional(line),
  source: v.exactOptional(line),
});
const ModelTable = v.looseObject({
  description: v.exactOptional(line),
  provider: v.exactOptional(line),
  price: v.exactOptional(PriceTable),
});
const RegistryFile = v.object({
  fetched_from: v.exactOptional(v.string()),
  fetched_at: v.exactOptional(v.pipe(v.string(), v.isoTimestamp())),
  models: v.record(modelId, ModelTable),
});

const reserved: ReadonlySet<string> = new Set(Object.keys(ModelTable.entries));

/** Parses a registry. `place` says where it comes from, for error messages. */
export function parseRegistry(text: string, place: string): Registry {
  const parsed = v.safeParse(RegistryFile, parse(text, place));
  if (!parsed.success) throw notRegistry(place, describe(parsed.issues[0]));
  const { models, fetched_from, fetched_at } = parsed.output;
  const entries = Object.entries(models).map(([name, table]) => [name, toEntry(name, table, place)] as const);
  if (entries.length === 0) throw notRegistry(place, "it has no [models.NAME]");
  return {
    models: new Map(entries),
    ...(fetched_from !== undefined && { fetchedFrom: fetched_from }),
    ...(fetched_at !== undefined && { fetchedAt: fetched_at }),
  };
}

/** Enough for ten thousand models with an id for every agent. */
const registryLimits = { maxEntries: 200_000 };

function parse(text: string, place: string): unknown {
  try {
    return parseToml(text, registryLimits).values;
  } catch (error) {
    const where = error instanceof DocumentSyntaxError ? `line ${error.line}: ` : "";
    const why = /^\s*</.test(text) ? "it is HTML, not TOML" : `not valid TOML: ${where}${messageOf(error)}`;
    throw notRegistry(place, why, error);
  }
}

function toEntry(name: string, table: v.InferOutput<typeof ModelTable>, place: string): ModelEntry {
  const { description, provider, price } = table;
  const ids = new Map<string, string>();
  for (const [agent, id] of Object.entries(table)) {
    if (reserved.has(agent)) continue;
    const checked = v.safeParse(modelId, id);
    if (!checked.success)
      throw notRegistry(place, `"models.${name}.${agent}" ${describe(checked.issues[0], "")}`);
    ids.set(findAgent(agent)?.id ?? agent, checked.output);
  }
  return {
    ...(description !== undefined && { description }),
    ...(provider !== undefined && { provider }),
    ids,
    ...(price !== undefined && { price: toPrice(price) }),
  };
}

function toPrice({ cache_read, cache_write, ...rest }: v.InferOutput<typeof PriceTable>): Price {
  return {
    ...rest,
    ...(cache_read !== undefined && { cacheRead: cache_read }),
    ...(cache_write !== undefined && { cacheWrite: cache_write }),
  };
}

function describe(issue: v.BaseIssue<unknown>, path = `"${v.getDotPath(issue)}" `): string {
  if (v.getDotPath(issue) === "models" && issue.received === "undefined") return "it has no [models.NAME]";
  return `${path}${describeIssue(issue)}`;
}

function notRegistry(place: string, why: string, cause?: unknown): HarnessError {
  return new HarnessError("invalid_registry", `${place} is not a model registry: ${why}`, { cause });
}
