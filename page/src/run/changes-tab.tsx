import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type PatchFile, splitPatch } from "../../../src/story/patch-files.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatCount, formatNumberOf } from "../../../src/text/numbers.js";
import { inTreeOrder } from "../model/file-tree.js";
import { type ChangedSoFar, type DiffRow, mostLines, toDiffRows } from "../model/run-changes.js";
import { useKeys } from "../ui/keys.js";
import { type ListHandle, VirtualList } from "../ui/virtual-list.js";
import { FileTree } from "./file-tree.js";
import { LineCounts } from "./line-counts.js";
import type { ViewState } from "./view-state.js";

/** What the run changed: a tree of the files, and the diff of each. */
export function ChangesTab({ view }: { view: ViewState }) {
  const { state } = view.source;
  const changes = view.changes.value;
  const { files, problem } = usePatch(view, changes);
  if (state.value === "loading") return <p class="empty">Loading…</p>;
  if (changes.files.length === 0 && changes.moreFiles === 0)
    return (
      <p class="empty">
        {state.value === "live" ? "Nothing has been changed yet." : "This run changed no files."}
      </p>
    );
  return <Diffs changes={changes} files={files} problem={problem} />;
}

/** The files with their lines: from `changes.patch`, or as the edits have them. */
function usePatch(
  { source }: ViewState,
  changes: ChangedSoFar,
): { files: readonly PatchFile[] | undefined; problem: string } {
  const [patch, setPatch] = useState<readonly PatchFile[] | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const isOfGit = changes.source === "git";
  const key = isOfGit ? `${changes.insertions} ${changes.deletions} ${changes.files.length}` : "";
  useEffect(() => {
    if (!isOfGit) return;
    let isGone = false;
    source.readPatch().then(
      (text) => !isGone && setPatch(splitPatch(text)),
      (error: Error) => !isGone && setProblem(error.message),
    );
    return () => {
      isGone = true;
    };
  }, [source, isOfGit, key]);
  const edited = changes.files.filter((file): file is PatchFile => "text" in file);
  return { files: isOfGit ? patch : edited, problem };
}

const lineClasses: Record<string, string> = { "+": "added", "-": "removed", "@": "place", "*": "place" };

interface DiffsProps {
  changes: ChangedSoFar;
  files: readonly PatchFile[] | undefined;
  problem: string;
}

function Diffs({ changes, files, problem }: DiffsProps) {
  const list = useRef<ListHandle>(null);
  const [current, setCurrent] = useState<string | undefined>(undefined);
  const { rows, isCut } = useMemo(
    () => toDiffRows(inTreeOrder(files ?? [], changes.root)),
    [files === undefined ? undefined : keyOf(files)],
  );
  const show = (path: string): void => {
    const index = rows.findIndex((row) => row.kind === "file" && row.file.path === path);
    if (index === -1) return;
    setCurrent(path);
    list.current?.scrollTo(index, "start");
  };
  const move = (step: 1 | -1): void => {
    const paths = rows.flatMap((row) => (row.kind === "file" ? [row.file.path] : []));
    const at = paths.indexOf(current ?? "");
    const next = paths[Math.max(0, Math.min(paths.length - 1, at + step))];
    if (next !== undefined) show(next);
  };
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  return (
    <div class="changes">
      <section class="changed-files" aria-label="Changed files">
        <p class="changes-sum">
          <b>{formatNumberOf(changes.files.length + changes.moreFiles, "file")}</b>{" "}
          <LineCounts insertions={changes.insertions} deletions={changes.deletions} />
        </p>
        <FileTree
          files={changes.files.map(({ path, insertions, deletions }) => ({
            path,
            counts: [insertions, deletions],
          }))}
          cwd={changes.root}
          empty=""
          current={current}
          counts={([insertions, deletions]) => <LineCounts insertions={insertions} deletions={deletions} />}
          onFile={show}
        />
        {changes.moreFiles > 0 && (
          <p class="dim">
            and {formatNumberOf(changes.moreFiles, "more file")} that the recording does not list
          </p>
        )}
        <Notes changes={changes} isCut={isCut} />
      </section>
      <VirtualList
        rows={rows}
        label="Diff"
        class="diffs"
        keyOf={(row, index) => (row.kind === "file" ? `file ${row.file.path} ${index}` : index)}
        estimate={(row) => (row.kind === "file" ? 37 : 19)}
        handle={list}
        empty={<p class="empty">{problem === "" ? "Loading…" : problem}</p>}
      >
        {(row) => <Row row={row} />}
      </VirtualList>
    </div>
  );
}

function keyOf(files: readonly PatchFile[]): string {
  return files.map(({ path, text }) => `${path} ${text.length}`).join("\n");
}

function Notes({ changes, isCut }: { changes: ChangedSoFar; isCut: boolean }) {
  return (
    <>
      {changes.source === "edits" && (
        <p class="dim">
          As the agent’s own edits say. What its commands changed is not known: the run was not in a git
          repository, or has not ended.
        </p>
      )}
      {changes.isCut && (
        <p class="dim">The recording does not have all of the diff, because it is too long.</p>
      )}
      {isCut && <p class="dim">The first {formatCount(mostLines)} lines are shown.</p>}
    </>
  );
}

function Row({ row }: { row: DiffRow }) {
  if (row.kind === "line")
    return (
      <div class={`diff-line ${lineClasses[row.sign] ?? "same"}`}>
        <span class="line-at" aria-hidden="true">
          {row.number}
        </span>
        <code>{cleanText(row.text) || " "}</code>
      </div>
    );
  const { path, from, kind, isBinary, insertions, deletions, text } = row.file;
  return (
    <h2 class="diff-file" data-file={path}>
      <span class="name" dir="auto">
        {from !== undefined && `${toVisibleLine(from, 200)} → `}
        {toVisibleLine(path, 300)}
      </span>
      {kind !== "modified" && <span class={`change ${kind}`}>{kind}</span>}
      {isBinary === true && <small>binary</small>}
      {isBinary !== true && text === "" && <small>no lines to show</small>}
      <LineCounts insertions={insertions} deletions={deletions} />
    </h2>
  );
}
