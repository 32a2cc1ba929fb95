import { createHash } from "node:crypto";
import { filesOfEdits } from "../../story/changed-files.js";
import { findAnswer, titleOfAnswer } from "../../story/outcomes.js";
import { type PatchFile, splitPatch } from "../../story/patch-files.js";
import { type RecordedSummary, summarizeRun } from "../../story/recorded-summary.js";
import { promptOf, type RunRecord, workingDirectory } from "../../story/run-record.js";
import { buildTimeline } from "../../story/timeline/build-timeline.js";
import { thinOut } from "../../story/timeline/thin-out.js";
import { toVisibleLine } from "../../text/cut.js";
import { renderChanges, type ShownChanges } from "./changes.js";
import { renderFigures } from "./charts/figures.js";
import { toDocument } from "./document.js";
import { createAllowance, noLimits, pageLimits } from "./limits.js";
import { html, type Markup } from "./markup.js";
import { renderDeeds, renderHead } from "./overview.js";
import { renderRows } from "./rows.js";
import { script } from "./script.js";
import { base } from "./style/base.js";
import { charts } from "./style/charts.js";
import { colours } from "./style/colours.js";
import { overview } from "./style/overview.js";
import { timeline as timelineStyle } from "./style/timeline.js";
import { values } from "./style/values.js";
import { renderToolbar } from "./toolbar.js";

/** The whole style sheet. */
export const style = colours + base + overview + charts + timelineStyle + values;

export interface HtmlOptions {
  /** Leaves nothing out, however large the page becomes. */
  isFull?: boolean | undefined;
  /** What the run changed, as a patch of git. */
  patch?: string | undefined;
}

/**
 * A run as one HTML file that needs nothing else and opens offline. Agent output is hostile: all of it is
 * escaped, its Markdown is rendered without HTML, and the page's own policy allows one script and one style,
 * by their hashes, and no connection to anywhere.
 */
export function toHtml(run: RunRecord, options: HtmlOptions = {}): string {
  const { meta, outcome, events } = run;
  const limits = options.isFull ? noLimits : pageLimits;
  const allowance = createAllowance(limits);
  const cwd = workingDirectory(run);
  const timeline = buildTimeline(events, meta.startedAt);
  const summary = summarizeRun(meta, outcome, events);
  const answer = findAnswer(timeline.items, summary);
  const context = { allowance, cwd, answer, answerTitle: titleOfAnswer(outcome) };
  const changes = changesOf(run, summary, options.patch);
  const body = html`
    ${renderHead(run, summary, changes, allowance)}
    ${renderDeeds(summary, renderChanges(changes, allowance))}
    ${renderFigures(timeline, summary, cwd)}
    ${renderToolbar(timeline.items)}
    <main>${renderRows(thinOut(timeline.items, limits.items), context)}</main>
    ${renderFooter(meta.runId)}`;
  return toDocument({
    title: toVisibleLine(promptOf(run), 80) || meta.runId,
    policy: [`style-src '${hashOf(style)}'`, `script-src '${hashOf(script)}'`],
    style,
    body,
    script,
  });
}

/** The patch has the lines. Without one the list of git is shown, and without git what the edits said. */
function changesOf(
  { events }: RunRecord,
  { changes }: RecordedSummary,
  patch: string | undefined,
): ShownChanges {
  const files = patch === undefined ? [] : splitPatch(patch);
  if (changes?.source === "git" || files.length > 0)
    return {
      source: "git",
      ...countsOf(files),
      ...changes,
      files: files.length > 0 ? files : (changes?.files ?? []),
    };
  const edited = filesOfEdits(events);
  return { source: "edits", ...countsOf(edited), files: edited };
}

function countsOf(files: readonly PatchFile[]): Pick<ShownChanges, "insertions" | "deletions"> {
  return {
    insertions: files.reduce((sum, file) => sum + file.insertions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
}

function renderFooter(runId: string): Markup {
  return html`
    <footer>
      Recorded by harness as <code>${runId}</code>. This page loads nothing from the network.
      <span class="keys needs-script"> Keys: <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>n</kbd> next problem,
        ${" "}<kbd>/</kbd> search, <kbd>e</kbd> expand, <kbd>t</kbd> light or dark.</span>
    </footer>`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
