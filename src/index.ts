/**
 * harness: run any coding agent and get one live, ordered, lossless stream of events.
 *
 * @example
 * import { run } from "harness-stream";
 * const r = run({ agent: "claude", prompt: "Fix the failing test" });
 * for await (const event of r) if (event.type === "write") console.log(event.path);
 * const { isSuccess, text } = await r.result;
 */
export type { Batch, BatchOptions, ResolveArm, ResolvedArm } from "./batch/batch.js";
export { defineBatch } from "./batch/check-plan.js";
export type { BatchState, CellState, CellStatus } from "./batch/model/batch-state.js";
export type { Cell, CellResult, CellVerdict, Changes, Retry, ShellResult } from "./batch/model/cell.js";
export type { LedgerLine } from "./batch/model/ledger-line.js";
export type { Arm, BatchPlan, BatchTask, Workspace } from "./batch/model/plan.js";
export { type ReadBatch, readBatch } from "./batch/read-batch.js";
export { createReportJsonSchema } from "./batch/report/json-schema.js";
export { createReport, type RenderOptions, type ReportFormat, renderReport } from "./batch/report/report.js";
export type { BatchReport } from "./batch/report/schema.js";
export { type PlannedBatch, planBatch, resumeBatch, runBatch } from "./batch/run-batch.js";
export * from "./core.js";
export type { Step } from "./events/step.js";
export { open } from "./live/open.js";
export type { PermissionRules } from "./live/rules/rule.js";
export { run } from "./live/run.js";
export type { QueuedPrompt, SendOptions, Session as LiveSession, Turn, TurnResult } from "./live/session.js";
export type { OnRequest, SessionTask } from "./live/session-task.js";
export { builtInModels } from "./models/built-in.js";
export { estimateCost } from "./models/estimate-cost.js";
export { type FindPrice, findPrice } from "./models/find-price.js";
export { modelsIn } from "./models/load-models.js";
export type { LayerName, ModelEntry, ModelLayer, ModelLayers } from "./models/model-entry.js";
export { type ResolvedModel, resolveModel } from "./models/resolve-model.js";
export { createJsonSchema } from "./outputs/json-schema.js";
export { type StreamName, streamSchemas } from "./outputs/schemas.js";
export { type AgentReport, inspectAgent } from "./process/inspect-agent.js";
export {
  type ExportOptions,
  type ListOptions,
  type Pruned,
  type PruneOptions,
  type RecordedOutcome as SessionOutcome,
  type Recording as Session,
  type Replay,
  type ReplayOptions,
  recordings as sessions,
} from "./runs/archive/recordings.js";
export type { Run, RunResult, Task } from "./runs/task.js";
export type { FollowedRun, Follower } from "./sending/follower.js";
export type { OtlpEnvironment } from "./sending/otlp/endpoint.js";
export { createOtlpFollower, type OtlpFollower, type OtlpOptions } from "./sending/otlp/follower.js";
export type { SendReport } from "./sending/send-queue.js";
export { createWebhookFollower, type WebhookOptions } from "./sending/webhook/follower.js";
export type { WebhookEvents } from "./sending/webhook/messages.js";
