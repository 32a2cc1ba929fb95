/** A recorded run as a document: pure functions of its events and its sidecar. */
export { type HtmlOptions, toHtml } from "./html/page.js";
export type { RunMeta, RunOutcome, RunRecord } from "./run-record.js";
export { type RunSummary, summarizeRun } from "./summary.js";
