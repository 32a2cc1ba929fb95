/**
 * `harness-stream/testing`: a model server on 127.0.0.1 that plays a script. With it you can test against the real agent
 * programs without an API key, without cost and with reproducible results. See docs/testing.md.
 */
export * from "./actions.js";
export type { ModelApi } from "./apis/dialect.js";
export { type AgentCapture, type CheckAgentOptions, checkAgent } from "./check/check-agent.js";
export { type PreparedAgent, type PrepareOptions, preparableAgents, prepareAgent } from "./environment.js";
export type { AdvertisedTool, ToolResult } from "./model-request.js";
export { type RecordedAnswer, type RecordedRequest, type SentCall, totalUsage } from "./recorded-request.js";
export * from "./scenario.js";
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./server.js";
export { toolTables } from "./tools/index.js";
export type { Input, ToolTable, ToolUse, Way } from "./tools/tool-table.js";
