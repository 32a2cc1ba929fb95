import * as v from "valibot";
import { PermissionRules } from "../live/rules/rule.js";
import { mcpServers } from "../runs/task-schema.js";
import type { JsonObject } from "../text/json.js";
import { nonEmptyText, positiveNumber, texts, variables } from "../text/option-parts.js";
import type { Workspace } from "./model/plan.js";

/** Parts of a plan. Each message follows the name of its key, as in `plan.tasks[1].prompt must not be empty`. */

const wholeNumber = v.pipe(positiveNumber, v.integer("must be a whole number"));

/** It is a part of file names and of tables. */
const id = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z0-9][\w.-]{0,99}$/,
    'must be at most 100 letters, digits, ".", "_" and "-", beginning with a letter or digit',
  ),
);

const words = v.pipe(
  nonEmptyText,
  v.check((text) => text.trim() !== "", "must not be empty"),
);

function isTable(input: unknown): input is object {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

/** A path of this machine. An address would be taken for a directory. */
const path = v.pipe(
  nonEmptyText,
  v.check((text) => !/^[a-z][a-z+]*:\/\//i.test(text), "must be a directory of this machine; clone it first"),
);

/** It becomes an argument of git. */
const ref = v.pipe(nonEmptyText, v.regex(/^[^-]/, "must not begin with a hyphen"));

/** Not a union: its errors would not say which key is wrong. */
const workspace = v.lazy((input): v.GenericSchema<unknown, Workspace> => {
  if (isTable(input) && "git" in input) return v.strictObject({ git: path, ref: v.optional(ref) });
  if (isTable(input) && "copy" in input) return v.strictObject({ copy: path });
  const empty = v.literal(true, "must be true");
  if (isTable(input) && "empty" in input) return v.strictObject({ empty });
  return v.custom<Workspace>(() => false, "must be an object with `git`, `copy` or `empty`");
});

const permissionModes = v.picklist(
  ["full-access", "read-only", "ask"],
  'must be "full-access", "read-only", "ask" or an object with rules',
);

export const BatchTaskSchema = v.strictObject({
  id,
  prompt: words,
  workspace: v.optional(workspace, { empty: true }),
  setup: v.optional(words),
  setupTimeoutMs: v.optional(positiveNumber),
  check: v.optional(words),
  checkTimeoutMs: v.optional(positiveNumber),
  schema: v.optional(v.custom<JsonObject>(isTable, "must be a JSON Schema: an object")),
  timeoutMs: v.optional(positiveNumber),
});

export const ArmSchema = v.strictObject({
  id: v.optional(id),
  agent: nonEmptyText,
  model: v.optional(words),
  permissions: v.optional(v.lazy((input) => (isTable(input) ? PermissionRules : permissionModes))),
  systemPrompt: v.optional(v.string()),
  appendSystemPrompt: v.optional(v.string()),
  maxTurns: v.optional(wholeNumber),
  maxBudgetUsd: v.optional(positiveNumber),
  mcpServers: v.optional(mcpServers),
  effort: v.optional(nonEmptyText),
  allowedTools: v.optional(texts),
  extraArgs: v.optional(texts),
  env: v.optional(variables),
  binary: v.optional(nonEmptyText),
  home: v.optional(nonEmptyText),
});

/** A list that is checked item by item, so that an unknown key of an item gets a suggestion. */
const items = v.pipe(v.array(v.unknown()), v.nonEmpty("must not be empty"));

export const PlanSchema = v.strictObject({
  name: words,
  tasks: items,
  arms: items,
  repeats: v.optional(wholeNumber, 1),
  concurrency: v.optional(wholeNumber),
  limits: v.optional(v.record(v.string(), wholeNumber), {}),
  budgetUsd: v.optional(positiveNumber),
  timeoutMs: v.optional(positiveNumber),
  idleTimeoutMs: v.optional(positiveNumber),
  retries: v.optional(
    v.pipe(
      v.number(),
      v.integer("must be a whole number"),
      v.minValue(0, "must not be below 0"),
      v.maxValue(100, "must be at most 100"),
    ),
    3,
  ),
  isolated: v.optional(v.boolean(), true),
  redact: v.optional(v.boolean()),
});
