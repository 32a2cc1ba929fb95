import type { ComponentChildren } from "preact";
import { toVisibleLine } from "../../../src/text/cut.js";
import { type CountedFile, type FileCounts, type FileNode, toFileTree } from "../model/file-tree.js";

interface FileTreeProps {
  files: readonly CountedFile[];
  cwd: string;
  empty: string;
  counts(counts: FileCounts): ComponentChildren;
  /** The file that is shown beside the tree. */
  current?: string | undefined;
  onFile?(path: string): void;
}

const shownChildren = 500;

/** Files by folder. The numbers of a folder are the sums of its files. */
export function FileTree(props: FileTreeProps) {
  const nodes = toFileTree(props.files, props.cwd);
  if (nodes.length === 0) return <p class="dim">{props.empty}</p>;
  return (
    <div class="files">
      <Nodes nodes={nodes} tree={props} />
    </div>
  );
}

function Nodes({ nodes, tree }: { nodes: readonly FileNode[]; tree: FileTreeProps }) {
  return (
    <ul>
      {nodes.slice(0, shownChildren).map((node) => (
        <li key={`${node.path} ${node.name}`}>
          {node.path !== undefined ? (
            <File node={node} path={node.path} tree={tree} />
          ) : (
            <details open={node.children.length <= 60}>
              <summary class="file">
                <span class="name">{toVisibleLine(node.name, 160)}/</span>
                <span class="counts">{tree.counts(node.counts)}</span>
              </summary>
              <Nodes nodes={node.children} tree={tree} />
            </details>
          )}
        </li>
      ))}
      {nodes.length > shownChildren && <li class="dim">and {nodes.length - shownChildren} more</li>}
    </ul>
  );
}

function File({ node, path, tree }: { node: FileNode; path: string; tree: FileTreeProps }) {
  const { onFile } = tree;
  const name = toVisibleLine(node.name, 120);
  const counts = <span class="counts">{tree.counts(node.counts)}</span>;
  if (onFile === undefined)
    return (
      <span class="file">
        <span class="name">{name}</span>
        {counts}
      </span>
    );
  return (
    <button
      type="button"
      class="file link"
      aria-current={tree.current === path ? "true" : undefined}
      onClick={() => onFile(path)}
    >
      <span class="name">{name}</span>
      {counts}
    </button>
  );
}
