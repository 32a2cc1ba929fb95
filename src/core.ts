/**
 * The browser-safe part of harness: the vocabulary, the translators, the formats and the outcome rule.
 * Nothing here imports Node.
 *
 * @example
 * import { createTranslator, formats } from "harness-stream/core";
 */

export { createTranslator, type TranslateOptions, translate } from "./agents/create-translator.js";
export { type AgentInput, defineAgent } from "./agents/define-agent.js";
export type {
  AgentDefinition,
  Capabilities,
  Launch,
  LaunchTask,
  Permissions,
  Traits,
} from "./agents/definition.js";
export { agents, findAgent } from "./agents/registry.js";
export { HarnessError } from "./errors.js";
export * from "./formats/index.js";
export { classifyFailure, type FailureEvidence } from "./outcome/failure-kind.js";
export { decideOutcome } from "./outcome/outcome.js";
export type { Ended, Outcome, ReportedFailure, RunState } from "./outcome/run-state.js";
export { type ClassifiedCommand, classifyCommand, type ShellOperation } from "./shell/classify-command.js";
export type {
  Draft,
  Mapping,
  OpenCall,
  Operation,
  Sink,
  Translator,
  TranslatorOptions,
} from "./translator/contract.js";
export type { Condition, PieceRule, RecordRule, StreamedText } from "./translator/streamed-text.js";
export type { EventOf, EventType, HarnessEvent, SuggestedEdit } from "./vocabulary/event.js";
export { ExactNumber } from "./vocabulary/exact-number.js";
export type { ExitReason, Failure, FailureKind } from "./vocabulary/failure.js";
export type { JsonArray, JsonObject, JsonValue } from "./vocabulary/json.js";
export type { ModelPrice, Price } from "./vocabulary/price.js";
export type { ExitRecord, LineRecord, NoticeRecord, RawRecord } from "./vocabulary/raw-record.js";
export type { StopReason } from "./vocabulary/stop-reason.js";
export type { TokenCounts, UsageScope } from "./vocabulary/usage.js";
