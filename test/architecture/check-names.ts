import { isWithin, memberFolderOf, roomOf } from "./check-imports.js";
import { rooms } from "./import-rules.js";
import type { SourceFile } from "./source-tree.js";

type Tree = ReadonlyMap<string, SourceFile>;

/** Where a name is declared, and the folder that it stays in if nothing outside of an agent, output or command imports it. */
interface Declaration {
  path: string;
  room: string;
  onlyIn: string | undefined;
}

/** Names that two rooms export and one file may import both of: a reader cannot tell which is meant. */
export function findSharedNames(tree: Tree): string[] {
  return [...declarationsOf(tree)].flatMap(([name, declarations]) => {
    const clashing = declarations.filter((one) => declarations.some((other) => doMeet(one, other)));
    return clashing.length === 0 ? [] : [`${name}: ${clashing.map(({ path }) => path).join(", ")}`];
  });
}

function declarationsOf(tree: Tree): Map<string, Declaration[]> {
  const declarations = new Map<string, Declaration[]>();
  const importedFromOutside = findImportedFromOutside(tree);
  for (const { path, exports } of tree.values()) {
    const onlyIn = importedFromOutside.has(path) ? undefined : memberFolderOf(path);
    const one = { path, room: roomOf(path).path, onlyIn };
    for (const name of new Set(exports.map((each) => each.name)))
      declarations.set(name, [...(declarations.get(name) ?? []), one]);
  }
  return declarations;
}

/** Files of an agent, output or command that something outside of its folder imports. */
function findImportedFromOutside(tree: Tree): Set<string> {
  const found = new Set<string>();
  for (const { path, imports } of tree.values()) {
    for (const { target } of imports) {
      const folder = target === undefined ? undefined : memberFolderOf(target);
      if (target !== undefined && folder !== undefined && !isWithin(path, folder)) found.add(target);
    }
  }
  return found;
}

function doMeet(one: Declaration, other: Declaration): boolean {
  if (one.room === other.room) return false;
  return rooms.some(({ path }) => canSee(path, one) && canSee(path, other));
}

/** What stays in a folder can only be seen from its own room. */
function canSee(viewer: string, { room, onlyIn }: Declaration): boolean {
  if (viewer === room) return true;
  return onlyIn === undefined && (rooms.find(({ path }) => path === viewer)?.imports.includes(room) ?? false);
}

/** Files that only re-export: readers would have to look behind them. */
export function findReExports(tree: Tree): string[] {
  return [...tree.values()].filter((file) => file.isReExportsOnly).map(({ path }) => path);
}
