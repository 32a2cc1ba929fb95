/**
 * The browser-safe part of harness: the vocabulary, the translators, the formats and the outcome rule.
 * Nothing here imports Node.
 *
 * @example
 * import { createTranslator, formats } from "harness-stream/core";
 */

export type {
  Draft,
  Mapping,
  OpenCall,
  Operation,
  OutputCheck,
  Sink,
  Translator,
  TranslatorOptions,
} from "./agents/contract.js";
export { createTranslator, type TranslateOptions, translate } from "./agents/create-translator.js";
export { type AgentInput, defineAgent } from "./agents/define-agent.js";
export type {
  AgentDefinition,
  Capabilities,
  Launch,
  LaunchTask,
  McpServer,
  PermissionMode,
  Permissions,
  Traits,
} from "./agents/definition.js";
export { createFramedTranslator, type TranslatedAgent } from "./agents/frame/frame.js";
export type { CredentialFile, Isolation } from "./agents/isolation.js";
export type { Abilities, Answer, SessionRequest } from "./agents/live-contract.js";
export { type AgentId, agents, type BuiltInAgentId, findAgent } from "./agents/registry.js";
export { sessionAbilities } from "./agents/session-abilities.js";
export type { Condition, PieceRule, RecordRule, StreamedText } from "./agents/streamed-text.js";
export { type ErrorCode, HarnessError } from "./errors.js";
export type { EventOf, EventType, HarnessEvent, SuggestedEdit } from "./events/event.js";
export type { ExitReason, Failure, FailureKind } from "./events/failure.js";
export { classifyFailure, type FailureEvidence } from "./events/failure-kind.js";
export type { PlanEntry, PlannedOperation, Question, RequestedOperation } from "./events/live-event.js";
export { decideOutcome } from "./events/outcome.js";
export type { ModelPrice, Price } from "./events/price.js";
export type {
  ExitRecord,
  LineRecord,
  NoticeRecord,
  ProcessRecord,
  RawRecord,
  SentRecord,
} from "./events/raw-record.js";
export type { StopReason } from "./events/recording-meta.js";
export type { Ended, Outcome, ReportedFailure, RunState } from "./events/run-state.js";
export type { TokenCounts, UsageScope } from "./events/usage.js";
export { acpFormat } from "./outputs/acp/format.js";
export type { AcpMessage } from "./outputs/acp/schema.js";
export { type AgUiFormat, type AgUiOptions, agUiFormat } from "./outputs/ag-ui/format.js";
export type { AgUiEvent } from "./outputs/ag-ui/schema.js";
export { atifFormat } from "./outputs/atif/format.js";
export type { AtifTrajectory } from "./outputs/atif/schema.js";
export { claudeFormat } from "./outputs/claude/format.js";
export type { ClaudeRecord } from "./outputs/claude/schema.js";
export type { Format, FormatOptions, View } from "./outputs/contract.js";
export type { NormalizedEvent } from "./outputs/events/schema.js";
export { formatEvents } from "./outputs/format-events.js";
export { type FormatItems, type FormatName, formatNames, formats } from "./outputs/formats.js";
export type { RunReport } from "./outputs/json/schema.js";
export type { UnifiedEvent } from "./outputs/ndjson/schema.js";
export { otlpFormat } from "./outputs/otlp/format.js";
export type { OtlpTraces } from "./outputs/otlp/schema.js";
export { type NativeLine, rawFormat } from "./outputs/raw/output.js";
export type { RunEvent } from "./outputs/run-events/schema.js";
export {
  type ResponseFormat,
  type ResponseOptions,
  type ServedRun,
  toResponse,
} from "./outputs/to-response.js";
export { uiMessageFormat } from "./outputs/ui-message/format.js";
export type { UiMessageChunk, UiMessageDataParts, UiMessageMetadata } from "./outputs/ui-message/schema.js";
export { type ClassifiedCommand, classifyCommand, type ShellOperation } from "./shell/classify-command.js";
export { ExactNumber } from "./text/exact-number.js";
export type { JsonArray, JsonObject, JsonValue } from "./text/json.js";
export { toNdjson } from "./text/to-json.js";
