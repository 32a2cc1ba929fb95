import type { FileCount } from "../../../src/story/run-summary.js";
import { relativeTo } from "../../../src/text/paths.js";

export interface FileNode {
  name: string;
  reads: number;
  writes: number;
  children: FileNode[];
  isFile: boolean;
}

/** Files as a tree of folders, with the reads and writes below each. A folder whose only entry is a folder is merged with it. */
export function toFileTree(
  read: readonly FileCount[],
  written: readonly FileCount[],
  cwd: string,
): FileNode[] {
  const root = createNode("", false);
  for (const { path, count } of read) add(root, relativeTo(path, cwd), "reads", count);
  for (const { path, count } of written) add(root, relativeTo(path, cwd), "writes", count);
  return root.children.map(compact).sort(byName);
}

function createNode(name: string, isFile: boolean): FileNode {
  return { name, reads: 0, writes: 0, children: [], isFile };
}

function add(root: FileNode, path: string, key: "reads" | "writes", count: number): void {
  const isAbsolute = path.startsWith("/");
  const names = path.split(/[\\/]/).filter((name) => name !== "");
  if (isAbsolute && names[0] !== undefined) names[0] = `/${names[0]}`;
  let node = root;
  for (const [index, name] of names.entries()) {
    const isFile = index === names.length - 1;
    let child = node.children.find((each) => each.name === name && each.isFile === isFile);
    if (child === undefined) {
      child = createNode(name, isFile);
      node.children.push(child);
    }
    child[key] += count;
    node = child;
  }
}

function compact(node: FileNode): FileNode {
  const [only, ...rest] = node.children;
  if (only !== undefined && rest.length === 0 && !only.isFile)
    return compact({ ...only, name: `${node.name}/${only.name}` });
  return { ...node, children: node.children.map(compact).sort(byName) };
}

function byName(a: FileNode, b: FileNode): number {
  return Number(a.isFile) - Number(b.isFile) || (a.name < b.name ? -1 : 1);
}
