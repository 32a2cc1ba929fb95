import type { ReportFormat } from "../../batch/report/report.js";

/** The formats of a report with the extensions of their files. Beside the command, so that its help does not load the report. */
export const reportExtensions: Readonly<Record<ReportFormat, readonly string[]>> = {
  text: [".txt"],
  json: [".json"],
  markdown: [".md", ".markdown"],
  junit: [".xml"],
  html: [".html", ".htm"],
};

export function isReportFormat(word: string): word is ReportFormat {
  return Object.hasOwn(reportExtensions, word);
}
