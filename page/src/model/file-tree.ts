import { relativeTo } from "../../../src/text/paths.js";

/** Two numbers about a file: reads and writes, or added and removed lines. */
export type FileCounts = readonly [first: number, second: number];

export interface FileNode {
  name: string;
  /** As it was given. Only files have it. */
  path?: string;
  counts: FileCounts;
  children: FileNode[];
}

export interface CountedFile {
  path: string;
  counts: FileCounts;
}

/** Files as a tree of folders, with the sums below each. A folder whose only entry is a folder is merged with it. */
export function toFileTree(files: readonly CountedFile[], cwd: string): FileNode[] {
  const root = createFolder("");
  for (const file of files) add(root, file, cwd);
  return root.children.map(compact).sort(byName);
}

/** Files in the order in which their tree has them. */
export function inTreeOrder<T extends { path: string }>(files: readonly T[], cwd: string): T[] {
  const tree = toFileTree(
    files.map(({ path }) => ({ path, counts: [0, 0] })),
    cwd,
  );
  const places = new Map<string, number>();
  const visit = (nodes: readonly FileNode[]): void => {
    for (const { path, children } of nodes) {
      if (path !== undefined) places.set(path, places.size);
      visit(children);
    }
  };
  visit(tree);
  const placeOf = ({ path }: T): number => places.get(path) ?? places.size;
  return [...files].sort((a, b) => placeOf(a) - placeOf(b));
}

function createFolder(name: string): FileNode {
  return { name, counts: [0, 0], children: [] };
}

function add(root: FileNode, { path, counts }: CountedFile, cwd: string): void {
  const shown = relativeTo(path, cwd);
  const names = shown.split(/[\\/]/).filter((name) => name !== "");
  if (shown.startsWith("/") && names[0] !== undefined) names[0] = `/${names[0]}`;
  let node = root;
  for (const [index, name] of names.entries()) {
    const isFile = index === names.length - 1;
    let child = node.children.find((each) => each.name === name && (each.path !== undefined) === isFile);
    if (child === undefined) {
      child = isFile ? { ...createFolder(name), path } : createFolder(name);
      node.children.push(child);
    }
    child.counts = [child.counts[0] + counts[0], child.counts[1] + counts[1]];
    node = child;
  }
}

function compact(node: FileNode): FileNode {
  const [only, ...rest] = node.children;
  if (only !== undefined && rest.length === 0 && only.path === undefined)
    return compact({ ...only, name: `${node.name}/${only.name}` });
  return { ...node, children: node.children.map(compact).sort(byName) };
}

function byName(a: FileNode, b: FileNode): number {
  return Number(a.path !== undefined) - Number(b.path !== undefined) || (a.name < b.name ? -1 : 1);
}
