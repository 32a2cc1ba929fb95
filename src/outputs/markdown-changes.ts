import type { FileChange } from "../events/changes.js";
import type { RunCheck } from "../events/run-check.js";
import { describeCheck } from "../story/describe-check.js";
import { signOf } from "../story/outcomes.js";
import type { RecordedSummary } from "../story/recorded-summary.js";
import { toVisibleLine } from "../text/cut.js";
import { formatCount } from "../text/numbers.js";
import { relativeTo } from "../text/paths.js";
import { codeSpan, fence, fold, shorten } from "./markdown-fence.js";

/** The files that a run changed, with the number of lines, and below them what git did not compare. */
export function listChanges(
  { changes, filesWritten }: Pick<RecordedSummary, "changes" | "filesWritten">,
  cwd: string | undefined,
): string[] {
  if (changes === undefined) return [];
  const { root, files, moreFiles = 0, source } = changes;
  const elsewhere = source === "edits" ? [] : filesWritten.filter(({ path }) => !isBelow(path, root ?? cwd));
  return [
    ...files.map(lineOf),
    ...(moreFiles > 0 ? [`- and ${formatCount(moreFiles)} more`] : []),
    ...elsewhere.map(({ path }) => `- ${nameOf(path)} · outside of the repository`),
  ];
}

/** True for a path that git compared, or that nobody can place. */
function isBelow(path: string, root: string | undefined): boolean {
  return !path.startsWith("/") || root === undefined || relativeTo(path, root) !== path;
}

function lineOf({ path, from, kind, insertions, deletions, isBinary }: FileChange): string {
  const before = from === undefined ? "" : `${nameOf(from)} → `;
  const what = kind === "modified" ? "" : ` ${kind}`;
  const isUncounted = insertions === 0 && deletions === 0;
  const lines = isUncounted ? "" : ` +${formatCount(insertions)} −${formatCount(deletions)}`;
  return `- ${before}${nameOf(path)}${what}${isBinary ? " binary" : lines}`;
}

function nameOf(path: string): string {
  return codeSpan(toVisibleLine(path, 200));
}

/** The difference itself. Undefined if there is none, or no room for it. */
export function renderDiff(patch: string | undefined, maxCharacters: number): string | undefined {
  if (patch === undefined || patch.trim() === "" || maxCharacters === 0) return undefined;
  return fold("The difference", fence(shorten(patch, maxCharacters), "diff"));
}

/** How the check after a run ended. `level`: of its heading. */
export function renderCheck(check: RunCheck, look: { level: 2 | 3; hasOutput: boolean }): string {
  const { command, isSuccess, tail } = check;
  const line = `${signOf(!isSuccess)} ${codeSpan(toVisibleLine(command, 200))} · ${describeCheck(check)}`;
  const output = look.hasOutput && tail.trim() !== "" ? [fold("The end of its output", fence(tail))] : [];
  return [`${"#".repeat(look.level)} Check`, line, ...output].join("\n\n");
}
