import * as v from "valibot";
import { AgentDefinitionSchema } from "../agents/agent-schemas.js";
import type { AgentDefinition, McpServer } from "../agents/definition.js";
import type { AgentId } from "../agents/registry.js";
import { isRunId } from "../events/run-id.js";
import { PermissionRules } from "../live/rules/rule.js";
import { defaultMaxLineBytes } from "../process/line-splitter.js";
import { checkOptions } from "../text/check-options.js";
import type { JsonObject } from "../text/json.js";
import {
  abortSignal,
  functionOf,
  nonEmptyText,
  positiveNumber,
  texts,
  variables,
} from "../text/option-parts.js";
import type { Task } from "./task.js";

const agent = v.custom<AgentId | AgentDefinition>(
  (input) => typeof input === "string" || (typeof input === "object" && input !== null),
  "must be the name of an agent or a definition",
);

const PermissionModes = v.picklist(
  ["full-access", "read-only", "ask"],
  'must be "full-access", "read-only", "ask" or an object with rules',
);

function isTable(input: unknown): boolean {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

/** Not a union: its errors would not say which key is wrong. */
const mcpServer = v.lazy(
  (input): v.GenericSchema<unknown, McpServer> =>
    isTable(input) && "url" in (input as object)
      ? v.strictObject({ url: httpAddress, headers: v.optional(variables) })
      : v.strictObject({ command: nonEmptyText, args: v.optional(texts), env: v.optional(variables) }),
);

const httpAddress = v.pipe(v.string(), v.regex(/^https?:\/\//i, "must begin with http:// or https://"));

/** The name becomes a key in the agent's own settings. */
const serverName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w-]*$/, "must be letters, digits, - and _"));

export const mcpServers = v.pipe(v.record(serverName, mcpServer), v.readonly());

const McpConfig = v.strictObject({ mcpServers });

/** Checks servers that come from elsewhere than a task. `name` begins the message of an error. */
export function checkMcpServers(given: unknown, name: string): v.InferOutput<typeof mcpServers> {
  return checkOptions(McpConfig, { mcpServers: given }, name).mcpServers;
}

/** The schema of `Task`. A test proves that the two agree. */
export const TaskSchema = v.strictObject({
  agent,
  // A missing prompt is treated as an empty one, which has its own error code.
  prompt: v.optional(v.string(), ""),
  cwd: v.optional(nonEmptyText),
  // Some agents would take it for an option of their own, such as one that grants every permission.
  model: v.optional(v.pipe(v.string(), v.regex(/^(?!\s*-)/, "must not begin with a hyphen"))),
  // Not a union: its errors would not say which rule is wrong.
  permissions: v.optional(v.lazy((input) => (isTable(input) ? PermissionRules : PermissionModes))),
  systemPrompt: v.optional(v.string()),
  appendSystemPrompt: v.optional(v.string()),
  maxTurns: v.optional(v.pipe(positiveNumber, v.integer("must be a whole number"))),
  maxBudgetUsd: v.optional(positiveNumber),
  // Launchers pass it as an argument of its own. An id from a recording must not become an option of the agent.
  resume: v.optional(v.pipe(nonEmptyText, v.regex(/^[^-]/, "must not begin with a hyphen"))),
  isolated: v.optional(v.boolean()),
  home: v.optional(nonEmptyText),
  mcpServers: v.optional(mcpServers),
  effort: v.optional(nonEmptyText),
  allowedTools: v.optional(texts),
  schema: v.optional(v.custom<JsonObject>(isTable, "must be a JSON Schema: an object")),
  extraArgs: v.optional(texts),
  env: v.optional(variables),
  binary: v.optional(nonEmptyText),
  timeoutMs: v.optional(positiveNumber),
  idleTimeoutMs: v.optional(positiveNumber),
  signal: v.optional(abortSignal),
  graceMs: v.optional(positiveNumber),
  silenceMs: v.optional(positiveNumber),
  maxLineBytes: v.optional(
    v.pipe(
      positiveNumber,
      v.integer("must be a whole number"),
      // A longer line could not be read again from the recording.
      v.maxValue(defaultMaxLineBytes, `must be at most ${defaultMaxLineBytes} (64 MiB)`),
    ),
  ),
  redact: v.optional(v.boolean()),
  log: v.optional(v.boolean()),
  recordTo: v.optional(nonEmptyText),
  sessionsDirectory: v.optional(nonEmptyText),
  changes: v.optional(v.boolean()),
  batch: v.optional(v.strictObject({ id: nonEmptyText, cell: nonEmptyText })),
  isDemo: v.optional(v.boolean()),
  runId: v.optional(
    v.pipe(
      v.string(),
      v.check(isRunId, 'must be letters, digits, ".", "_" and "-", beginning with a letter or digit'),
    ),
  ),
  agentVersion: v.optional(v.string()),
  findPrice: v.optional(functionOf<NonNullable<Task["findPrice"]>>()),
});

/**
 * Checks and copies a task. A mistake must never make a run more permissive than intended, so a wrong value, a wrong type or
 * an unknown key throws `invalid_option` and is never ignored.
 */
export function checkTask(given: unknown): Task {
  const task = checkOptions(TaskSchema, given, "task");
  // The definition itself is passed on, because it may be an instance of a class.
  if (typeof task.agent !== "string") checkOptions(AgentDefinitionSchema, task.agent, "task.agent");
  return task;
}
