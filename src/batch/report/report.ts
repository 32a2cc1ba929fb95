import { spellSafely, toPrettyJson } from "../../text/to-json.js";
import { toHtmlReport } from "./html/page.js";
import { toJUnit } from "./junit.js";
import { toMarkdownReport } from "./markdown.js";
import type { BatchReport } from "./schema.js";
import { toText } from "./text/report.js";

export { createReport } from "./create-report.js";

export const reportFormats = ["text", "json", "markdown", "junit", "html"] as const;
/** The forms of a batch's report. */
export type ReportFormat = (typeof reportFormats)[number];

/** How `renderReport` writes a report. */
export interface RenderOptions {
  /** Columns of `text`. Default 80. */
  width?: number | undefined;
  /** Colours in `text`. */
  hasColor?: boolean | undefined;
  /** What a cell changed, for `html`. Long patches are cut. */
  patchOf?: ((cellId: string) => string | undefined) | undefined;
}

const renderers: {
  readonly [Format in ReportFormat]: (report: BatchReport, options: RenderOptions) => string;
} = {
  text: toText,
  json: (report) => `${spellSafely(toPrettyJson(report))}\n`,
  markdown: toMarkdownReport,
  junit: toJUnit,
  html: toHtmlReport,
};

/** The report in one of its forms. What agents and commands printed is made safe in all of them. */
export function renderReport(report: BatchReport, format: ReportFormat, options: RenderOptions = {}): string {
  return renderers[format](report, options);
}
