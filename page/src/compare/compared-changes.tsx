import { useEffect, useMemo, useState } from "preact/hooks";
import { renderDiff } from "../../../src/outputs/html/views.js";
import { type PatchFile, splitPatch } from "../../../src/story/patch-files.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { relativeTo } from "../../../src/text/paths.js";
import { shortAllowance } from "../run/agent-text.js";
import { LineCounts } from "../run/line-counts.js";
import type { ViewState } from "../run/view-state.js";
import { Html } from "../ui/html.js";
import { ComparedTable } from "./compared-table.js";

const mostFiles = 300;

interface ChangesProps {
  views: readonly ViewState[];
  names: readonly string[];
}

/** The files that any of the runs changed, and the diffs of one of them side by side. */
export function ComparedChanges({ views, names }: ChangesProps) {
  const [current, setCurrent] = useState<string | undefined>(undefined);
  const sides = views.map(countsOf);
  const paths = [...new Set(sides.flatMap((side) => [...side.keys()]))].sort();
  if (paths.length === 0) return <p class="dim">No run changed a file.</p>;
  const shown = current !== undefined && paths.includes(current) ? current : paths[0];
  return (
    <>
      <ComparedTable label="Changed files" names={names} class="changed-table">
        {paths.slice(0, mostFiles).map((path) => (
          <tr key={path}>
            <th scope="row">
              <button
                type="button"
                class="link"
                aria-pressed={path === shown}
                title="Show its diffs"
                onClick={() => setCurrent(path)}
              >
                {toVisibleLine(path, 160)}
              </button>
            </th>
            {sides.map((side, index) => (
              <td key={index}>{side.has(path) ? <Counts counts={side.get(path)} /> : "–"}</td>
            ))}
          </tr>
        ))}
      </ComparedTable>
      {paths.length > mostFiles && <p class="dim">and {paths.length - mostFiles} more files</p>}
      {shown !== undefined && (
        <div class="sides compared-diff" data-count={views.length}>
          {views.map((view, index) => (
            <section key={index}>
              <h3>
                {names[index]}: <code>{toVisibleLine(shown, 80)}</code>
              </h3>
              <FileDiff view={view} path={shown} />
            </section>
          ))}
        </div>
      )}
    </>
  );
}

type FileCounts = Pick<PatchFile, "insertions" | "deletions">;

/** By the path within the repository, or within the directory of the run: both runs may be in directories of their own. */
function countsOf({ changes }: ViewState): Map<string, FileCounts> {
  const { files, root } = changes.value;
  return new Map(files.map((file) => [relativeTo(file.path, root), file]));
}

function Counts({ counts }: { counts: FileCounts | undefined }) {
  if (counts === undefined) return null;
  return <LineCounts insertions={counts.insertions} deletions={counts.deletions} />;
}

function FileDiff({ view, path }: { view: ViewState; path: string }) {
  const { files, problem } = usePatchOf(view);
  const { root } = view.changes.value;
  const file = files?.find((each) => relativeTo(each.path, root) === path);
  if (problem !== "") return <p class="dim">{problem}</p>;
  if (files === undefined) return <p class="dim">Loading…</p>;
  if (file === undefined) return <p class="dim">Not changed.</p>;
  if (file.text === "") return <p class="dim">{file.isBinary ? "Binary." : "No lines to show."}</p>;
  return <Html markup={renderDiff(file.text, shortAllowance)} />;
}

/** The files with their lines: from `changes.patch`, or as the edits have them. */
function usePatchOf({ source, changes }: ViewState): {
  files: readonly PatchFile[] | undefined;
  problem: string;
} {
  const [patch, setPatch] = useState<readonly PatchFile[] | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const { source: from, files, insertions, deletions } = changes.value;
  useEffect(() => {
    if (from !== "git") return;
    let isGone = false;
    source.readPatch().then(
      (text) => !isGone && setPatch(splitPatch(text)),
      (error: Error) => !isGone && setProblem(error.message),
    );
    return () => {
      isGone = true;
    };
  }, [source, from, insertions, deletions]);
  const edited = useMemo(() => files.filter((file): file is PatchFile => "text" in file), [files]);
  return from === "git" ? { files: patch, problem } : { files: edited, problem: "" };
}
