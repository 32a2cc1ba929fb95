import * as v from "valibot";
import { AgentDefinitionSchema } from "../../agents/agent-schemas.js";
import type { AgentDefinition } from "../../agents/definition.js";
import type { AgentId } from "../../agents/registry.js";
import { HarnessError } from "../../errors.js";
import { checkOptions, checkText } from "../../text/check-options.js";
import { abortSignal, functionOf, nonEmptyText } from "../../text/option-parts.js";
import type { ExportOptions } from "./export.js";
import type { Place } from "./find.js";
import type { ListOptions } from "./list.js";
import { recordingOutcomes } from "./recording.js";
import type { PruneOptions } from "./remove.js";
import type { ReplayOptions } from "./replay.js";

/** Checks the options of the public `sessions` functions. A mistake in the options of `prune` would remove the wrong recordings. */

const place = { directory: v.optional(nonEmptyText) };
const agent = v.optional(
  v.custom<AgentDefinition>((input) => typeof input === "object" && input !== null, "must be a definition"),
);
const asRecorded = v.optional(v.boolean());
const outcome = v.picklist(recordingOutcomes);

export const PlaceSchema = v.strictObject(place);

export const ListOptionsSchema = v.strictObject({
  directory: v.exactOptional(nonEmptyText),
  since: v.optional(v.date()),
  before: v.optional(v.date()),
  onUnreadable: v.optional(functionOf<NonNullable<ListOptions["onUnreadable"]>>()),
  agent: v.optional(
    v.pipe(
      v.string(),
      v.transform((name): AgentId => name),
    ),
  ),
  outcome: v.optional(v.union([outcome, v.pipe(v.array(outcome), v.readonly())])),
  model: v.optional(nonEmptyText),
  cwd: v.optional(nonEmptyText),
  batch: v.optional(
    v.custom<string | false>(
      (input) => input === false || (typeof input === "string" && input !== ""),
      "must be the id of a batch, or false for runs that belong to none",
    ),
  ),
  onBatchRun: v.optional(functionOf<NonNullable<ListOptions["onBatchRun"]>>()),
  limit: v.optional(v.pipe(v.number(), v.minValue(0, "must not be below 0"))),
});

export const ReadOptionsSchema = v.strictObject({ ...place, agent, asRecorded });

export const ReplayOptionsSchema = v.strictObject({
  ...place,
  agent,
  asRecorded,
  // A speed that is not above 0 has an error code of its own.
  speed: v.optional(v.union([v.number(), v.nan()])),
  signal: v.optional(abortSignal),
});

export const ExportOptionsSchema = v.strictObject({
  ...place,
  agent,
  asRecorded,
  // An unknown format has an error code of its own.
  format: v.custom<ExportOptions["format"]>((input) => typeof input === "string", "must be a string"),
  isFull: v.optional(v.boolean()),
});

export const PruneOptionsSchema = v.strictObject({
  ...place,
  before: v.date(),
  dryRun: v.optional(v.boolean()),
});

export const checkPlace = (given: unknown): Place => checkOptions(PlaceSchema, given, "options");
export const checkListOptions = (given: unknown): ListOptions =>
  checkOptions(ListOptionsSchema, given, "options");
export const checkPruneOptions = (given: unknown): PruneOptions =>
  checkOptions(PruneOptionsSchema, given, "options");
export const checkReadOptions = (given: unknown): Place & Pick<ReplayOptions, "agent" | "asRecorded"> =>
  withAgent(checkOptions(ReadOptionsSchema, given, "options"));
export const checkReplayOptions = (given: unknown): Place & ReplayOptions =>
  withAgent(checkOptions(ReplayOptionsSchema, given, "options"));
export const checkExportOptions = (given: unknown): Place & ExportOptions =>
  withAgent(checkOptions(ExportOptionsSchema, given, "options"));

function withAgent<T extends { agent?: AgentDefinition | undefined }>(options: T): T {
  if (options.agent !== undefined) checkOptions(AgentDefinitionSchema, options.agent, "options.agent");
  return options;
}

export function checkId(given: unknown): string {
  return checkText(given, "id");
}

export function checkIds(given: unknown): string[] {
  if (typeof given === "string") return [given];
  if (!Array.isArray(given)) throw new HarnessError("invalid_option", "ids must be an id or an array of ids");
  return Array.from(given, (id: unknown, index) => checkText(id, `ids[${index}]`));
}
