import type { PatchFile } from "../../story/patch-files.js";
import type { ChangedFiles } from "../../story/run-summary.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatCount } from "../../text/numbers.js";
import type { Allowance } from "./limits.js";
import { html, type Markup } from "./markup.js";
import { renderDiff } from "./views.js";

type ListedFile = Omit<PatchFile, "text"> & Partial<Pick<PatchFile, "text">>;

/** What a run changed. Files without `text` are only listed. */
export interface ShownChanges
  extends Pick<ChangedFiles, "source" | "insertions" | "deletions" | "moreFiles"> {
  files: readonly ListedFile[];
}

const mostFiles = 1000;

/** The changed files with their lines, each in a fold. */
export function renderChanges(changes: ShownChanges, allowance: Allowance): Markup | false {
  const { files, source, insertions, deletions, moreFiles = 0 } = changes;
  const count = files.length + moreFiles;
  if (count === 0) return false;
  const left = count - Math.min(files.length, mostFiles);
  return html`
    <section class="card changes">
      <h2>Files changed <small>${formatCount(count)}</small> ${renderCounts(insertions, deletions)}</h2>
      ${files.slice(0, mostFiles).map((file) => renderFile(file, allowance))}
      ${left > 0 && html`<p class="nothing">and ${formatCount(left)} more</p>`}
      ${source === "edits" && html`<p class="nothing">As the agent’s own edits say. What its commands changed is not known.</p>`}
    </section>`;
}

function renderFile(file: ListedFile, allowance: Allowance): Markup {
  const { path, from, kind, insertions, deletions, isBinary, text = "" } = file;
  const name = html`
    <code dir="auto">${from !== undefined && `${toVisibleLine(from, 160)} → `}${toVisibleLine(path, 200)}</code>
    ${kind !== "modified" && html` <small>${kind}</small>`}
    ${isBinary === true && html` <small>binary</small>`}
    ${" "}${renderCounts(insertions, deletions)}`;
  if (text === "") return html`<p class="changed">${name}</p>`;
  return html`<details class="changed"><summary>${name}</summary>${renderDiff(text, allowance)}</details>`;
}

/** `+12 −3`. Nothing for a binary file, or one that was only renamed. */
function renderCounts(insertions: number, deletions: number): Markup | false {
  if (insertions === 0 && deletions === 0) return false;
  return html`
    <span class="line-counts"><span class="plus">+${formatCount(insertions)}</span>${" "}
      <span class="minus">−${formatCount(deletions)}</span></span>`;
}
