export { createSummary, type Spent, type Summary } from "./create-summary.js";
export type {
  CommandRun,
  CostSource,
  FileCount,
  Report,
  RunOutcome,
  RunSummary,
  ToldEvent,
  ToldEventOf,
  ToolCount,
} from "./run-summary.js";
export { hasFailed } from "./run-summary.js";
