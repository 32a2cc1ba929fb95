import * as v from "valibot";
import { functionOf, nonEmptyText, texts, variables } from "../text/option-parts.js";
import type { CreateMapping, TranslatorOptions } from "./contract.js";
import type { AgentDefinition } from "./definition.js";
import type { Excerpt } from "./isolation.js";
import type { LiveProtocol } from "./live-contract.js";
import type { SessionStore } from "./store-contract.js";

const regExp = v.instance(RegExp);
const regExps = v.pipe(v.array(regExp), v.readonly());

const condition = v.record(v.string(), v.union([v.string(), v.literal(true), v.null(), texts]));
const conditions = v.pipe(v.array(condition), v.readonly());
const recordRule = { when: condition, key: v.exactOptional(texts) };

/** Which records carry pieces of a longer text. */
const StreamedTextSchema = v.strictObject({
  pieces: v.pipe(v.array(v.strictObject({ ...recordRule, text: texts })), v.readonly()),
  ends: v.exactOptional(v.pipe(v.array(v.strictObject(recordRule)), v.readonly())),
  between: v.exactOptional(conditions),
  growing: v.exactOptional(conditions),
});

const CapabilitiesSchema = v.object({
  model: v.boolean(),
  readOnly: v.boolean(),
  systemPrompt: v.boolean(),
  appendSystemPrompt: v.boolean(),
  maxTurns: v.boolean(),
  maxBudgetUsd: v.boolean(),
  resume: v.boolean(),
  mcpServers: v.exactOptional(v.boolean()),
  effort: v.exactOptional(texts),
  allowedTools: v.exactOptional(v.boolean()),
  schema: v.exactOptional(v.boolean()),
});

const CredentialFileSchema = v.strictObject({
  in: v.string(),
  file: nonEmptyText,
  keys: v.exactOptional(texts),
  excerpt: v.exactOptional(
    v.strictObject({
      take: functionOf<Excerpt["take"]>(),
      renew: v.exactOptional(functionOf<NonNullable<Excerpt["renew"]>>()),
    }),
  ),
});

const IsolationSchema = v.strictObject({
  variables: v.record(v.string(), v.string()),
  switches: v.exactOptional(v.record(v.string(), v.string())),
  removed: v.exactOptional(texts),
  credentials: v.pipe(v.array(CredentialFileSchema), v.readonly()),
  inherited: v.exactOptional(texts),
  inheritedOutsideRepositories: v.exactOptional(texts),
  caches: v.exactOptional(texts),
});

/** What an agent needs for its output to be read. */
export const TranslatedAgentSchema = v.object({
  id: nonEmptyText,
  name: v.string(),
  createMapping: functionOf<CreateMapping>(),
  stderrNoise: v.exactOptional(regExp),
  binaries: v.exactOptional(texts),
  install: v.exactOptional(v.string()),
  credentials: v.exactOptional(texts),
  signIn: v.exactOptional(v.string()),
  capabilities: v.exactOptional(CapabilitiesSchema),
});

const TraitsSchema = v.object({
  isStreaming: v.boolean(),
  narrates: v.optional(v.boolean()),
  isLiveOnly: v.optional(v.boolean()),
  stopSignal: v.optional(v.picklist(["SIGINT", "SIGTERM", "SIGKILL"])),
});

/** A definition as `defineAgent` returns it. Additional fields are allowed, because a class may have its own. */
export const AgentDefinitionSchema = v.object({
  ...TranslatedAgentSchema.entries,
  aliases: texts,
  binaries: texts,
  version: v.object({ args: texts, recorded: texts }),
  install: v.string(),
  docs: v.string(),
  credentials: texts,
  capabilities: CapabilitiesSchema,
  traits: TraitsSchema,
  harmlessArguments: v.exactOptional(regExps),
  permissionVariables: v.exactOptional(texts),
  logMark: v.exactOptional(regExp),
  streamedText: v.exactOptional(StreamedTextSchema),
  translator: v.exactOptional(v.string()),
  launch: functionOf<AgentDefinition["launch"]>(),
  isolation: v.exactOptional(IsolationSchema),
  live: v.exactOptional(
    v.custom<LiveProtocol>((input) => typeof input === "object" && input !== null, "must be a protocol"),
  ),
  store: v.exactOptional(
    v.custom<SessionStore>((input) => typeof input === "object" && input !== null, "must be a store"),
  ),
});

/** What `defineAgent` takes. */
export const AgentInputSchema = v.strictObject({
  id: v.string(),
  name: v.exactOptional(v.string()),
  aliases: v.exactOptional(texts),
  binaries: v.exactOptional(texts),
  version: v.exactOptional(v.strictObject({ args: v.optional(texts), recorded: v.optional(texts) })),
  install: v.exactOptional(v.string()),
  docs: v.exactOptional(v.string()),
  credentials: v.exactOptional(texts),
  signIn: v.exactOptional(v.string()),
  capabilities: v.exactOptional(v.partial(v.strictObject(CapabilitiesSchema.entries))),
  traits: v.exactOptional(v.partial(v.strictObject(TraitsSchema.entries))),
  stderrNoise: v.exactOptional(regExp),
  harmlessArguments: v.exactOptional(regExps),
  permissionVariables: v.exactOptional(texts),
  streamedText: v.exactOptional(StreamedTextSchema),
  launch: v.exactOptional(functionOf<AgentDefinition["launch"]>()),
  isolation: v.exactOptional(IsolationSchema),
  createMapping: v.exactOptional(functionOf<CreateMapping>()),
  translator: v.exactOptional(v.string()),
});

export const TranslatorOptionsSchema = v.strictObject({
  runId: v.exactOptional(v.string()),
  cwd: v.exactOptional(v.string()),
  agentVersion: v.exactOptional(v.string()),
  isResumed: v.exactOptional(v.boolean()),
  prompt: v.exactOptional(v.string()),
  sessionId: v.exactOptional(v.string()),
  hasTiming: v.exactOptional(v.boolean()),
  model: v.exactOptional(v.string()),
  findPrice: v.exactOptional(functionOf<NonNullable<TranslatorOptions["findPrice"]>>()),
  live: v.exactOptional(v.string()),
  stored: v.exactOptional(v.string()),
  checkOutput: v.exactOptional(functionOf<NonNullable<TranslatorOptions["checkOutput"]>>()),
});

/** What a launcher returns. */
export const LaunchSchema = v.object({
  args: v.array(v.string()),
  env: v.exactOptional(variables),
  stdin: v.exactOptional(v.string()),
  sessionId: v.exactOptional(v.string()),
  files: v.exactOptional(v.record(v.string(), v.string())),
});
