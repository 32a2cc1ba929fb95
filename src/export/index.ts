/** A recorded run as a document: pure functions of its events and its sidecar. */
export { type HtmlOptions, toHtml } from "./html/page.js";
export { type MarkdownOptions, toMarkdown } from "./markdown/transcript.js";
export type { RunMeta, RunOutcome, RunRecord } from "./run-record.js";
export { type RecordedSummary, summarizeRun } from "./summary.js";
