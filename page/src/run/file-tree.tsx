import type { FileCount } from "../../../src/story/run-summary.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { type FileNode, toFileTree } from "../model/file-tree.js";

interface FileTreeProps {
  read: readonly FileCount[];
  written: readonly FileCount[];
  cwd: string;
}

const shownChildren = 200;

export function FileTree({ read, written, cwd }: FileTreeProps) {
  const nodes = toFileTree(read, written, cwd);
  if (nodes.length === 0) return <p class="dim">No file was touched.</p>;
  return (
    <div class="files">
      <Nodes nodes={nodes} />
    </div>
  );
}

function Nodes({ nodes }: { nodes: readonly FileNode[] }) {
  return (
    <ul>
      {nodes.slice(0, shownChildren).map((node) => (
        <li key={`${node.isFile} ${node.name}`}>
          {node.isFile ? (
            <span class="file">
              <span class={node.writes > 0 ? "name written" : "name"}>{toVisibleLine(node.name, 120)}</span>
              <Counts node={node} />
            </span>
          ) : (
            <details open={node.children.length <= 30}>
              <summary class="file">
                <span class="name">{toVisibleLine(node.name, 160)}/</span>
                <Counts node={node} />
              </summary>
              <Nodes nodes={node.children} />
            </details>
          )}
        </li>
      ))}
      {nodes.length > shownChildren && <li class="dim">and {nodes.length - shownChildren} more</li>}
    </ul>
  );
}

function Counts({ node: { reads, writes } }: { node: FileNode }) {
  return (
    <span class="counts">
      {reads > 0 && (
        <span class="reads" title={`read ${reads} times`}>
          {reads} R
        </span>
      )}
      {writes > 0 && (
        <span class="writes" title={`written ${writes} times`}>
          {writes} W
        </span>
      )}
    </span>
  );
}
