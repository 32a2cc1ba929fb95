import * as v from "valibot";
import { PermissionRules } from "../live/rules/rule.js";
import { mcpServers } from "../runs/task-schema.js";
import { durationRule, parseDuration } from "../text/duration.js";
import { isObject } from "../text/fields.js";
import type { JsonObject } from "../text/json.js";
import { nonEmptyText, positiveNumber, texts, variables } from "../text/option-parts.js";

/** The keys of a plan file. They are those of `BatchPlan`, as people write them. A test proves that none is missing. */

const wholeNumber = v.pipe(positiveNumber, v.integer("must be a whole number"));

/** Not a union: its error would not say what is meant. */
const duration = v.pipe(
  v.custom<string | number>(
    (input) => (typeof input === "string" || typeof input === "number") && parseDuration(input) !== undefined,
    durationRule,
  ),
  v.transform((given) => parseDuration(given) ?? 0),
);

const Workspaces = {
  git: v.strictObject({ git: nonEmptyText, ref: v.exactOptional(nonEmptyText) }),
  copy: v.strictObject({ copy: nonEmptyText }),
  empty: v.strictObject({ empty: v.literal(true, "must be true; leave the workspace out instead") }),
} as const;

const noWorkspace = v.custom<never>(
  () => false,
  'must be { git = "directory" }, { copy = "directory" } or { empty = true }',
);

const workspace = v.lazy((input) => {
  const kind = isObject(input) && (["git", "copy", "empty"] as const).find((key) => key in input);
  return kind ? Workspaces[kind] : noWorkspace;
});

const schema = v.custom<JsonObject>((input) => isObject(input), "must be a JSON Schema: a table");

const PermissionModes = v.picklist(
  ["full-access", "read-only"],
  'must be "full-access", "read-only" or a table of rules',
);

const id = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z0-9][\w.-]*$/,
    'must be letters, digits, ".", "_" and "-", beginning with a letter or digit',
  ),
);

export const PlanFileTask = v.strictObject({
  id,
  prompt: v.exactOptional(v.string()),
  prompt_file: v.exactOptional(nonEmptyText),
  workspace: v.exactOptional(workspace),
  setup: v.exactOptional(nonEmptyText),
  setup_timeout: v.exactOptional(duration),
  check: v.exactOptional(nonEmptyText),
  check_timeout: v.exactOptional(duration),
  schema: v.exactOptional(schema),
  schema_file: v.exactOptional(nonEmptyText),
  timeout: v.exactOptional(duration),
});
export type PlanFileTask = v.InferOutput<typeof PlanFileTask>;

export const PlanFileArm = v.strictObject({
  id: v.exactOptional(id),
  agent: nonEmptyText,
  model: v.exactOptional(nonEmptyText),
  // Not a union: its errors would not say which rule is wrong.
  permissions: v.exactOptional(v.lazy((input) => (isObject(input) ? PermissionRules : PermissionModes))),
  system_prompt: v.exactOptional(v.string()),
  append_system_prompt: v.exactOptional(v.string()),
  max_turns: v.exactOptional(wholeNumber),
  max_budget_usd: v.exactOptional(positiveNumber),
  mcp_servers: v.exactOptional(mcpServers),
  effort: v.exactOptional(nonEmptyText),
  allowed_tools: v.exactOptional(texts),
  extra_args: v.exactOptional(texts),
  env: v.exactOptional(variables),
  binary: v.exactOptional(nonEmptyText),
  home: v.exactOptional(nonEmptyText),
});
export type PlanFileArm = v.InferOutput<typeof PlanFileArm>;

export const PlanFile = v.strictObject({
  name: v.exactOptional(nonEmptyText),
  repeats: v.exactOptional(wholeNumber),
  concurrency: v.exactOptional(wholeNumber),
  limits: v.exactOptional(v.record(v.string(), wholeNumber)),
  budget_usd: v.exactOptional(positiveNumber),
  timeout: v.exactOptional(duration),
  idle_timeout: v.exactOptional(duration),
  retries: v.exactOptional(
    v.pipe(v.number(), v.integer("must be a whole number"), v.minValue(0, "must not be below 0")),
  ),
  isolated: v.exactOptional(v.boolean()),
  redact: v.exactOptional(v.boolean()),
  tasks: v.pipe(v.array(PlanFileTask), v.nonEmpty("must have at least one task")),
  arms: v.pipe(v.array(PlanFileArm), v.nonEmpty("must have at least one arm")),
});
export type PlanFile = v.InferOutput<typeof PlanFile>;

/** The keys that are known at a place of the file, for suggestions. The numbers of elements are left out of `path`. */
export function knownPlanKeys(path: readonly string[]): readonly string[] {
  return knownKeys[path.filter((key) => !/^\d+$/.test(key)).join(".")] ?? serverKeys;
}

const serverKeys = ["command", "args", "env", "url", "headers"];

const knownKeys: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(PlanFile.entries),
  tasks: Object.keys(PlanFileTask.entries),
  "tasks.workspace": ["git", "ref", "copy", "empty"],
  arms: Object.keys(PlanFileArm.entries),
  "arms.permissions": Object.keys(PermissionRules.entries),
};
