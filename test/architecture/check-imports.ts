import { type Exception, families, type Room, rooms } from "./import-rules.js";
import type { Import, SourceFile } from "./source-tree.js";

/** Imports that the rules do not allow: `file → imported: why`. */
export function findBreaks(tree: ReadonlyMap<string, SourceFile>): string[] {
  return [...tree.values()].flatMap((file) =>
    file.imports.flatMap((one) => {
      const why = refusal(file.path, one) ?? familyRefusal(file.path, one.target);
      return why === undefined ? [] : [`${file.path} → ${one.target ?? one.specifier}: ${why}`];
    }),
  );
}

/** The room of a file: the one with the longest path that the file is in. */
export function roomOf(path: string): Room {
  const found = rooms
    .filter((room) => isWithin(path, pathOf(room.path)))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (found === undefined)
    throw new Error(`${path} is in no room: name its folder in test/architecture/import-rules.ts`);
  return found;
}

function refusal(path: string, { specifier, target, isType }: Import): string | undefined {
  const room = roomOf(path);
  const exceptions = (room.exceptions ?? []).filter((one) =>
    isWithin(path, `${pathOf(room.path)}/${one.path}`),
  );
  if (target !== undefined) {
    if (roomOf(target) === room) return undefined;
    const allowed = [...room.imports, ...(isType ? (room.types ?? []) : []), ...all(exceptions, "imports")];
    return allowed.some((name) => covers(name, target))
      ? undefined
      : `${room.path} may not import ${roomOf(target).path}`;
  }
  if (specifier.startsWith("node:")) {
    const isAllowed = room.isNode === true || all(exceptions, "node").includes(specifier);
    return isAllowed ? undefined : `${room.path} runs in browsers: it may not import Node`;
  }
  const packages = [...(room.packages ?? []), ...all(exceptions, "packages")];
  const isAllowed = packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  return isAllowed ? undefined : `${room.path} may not import the package ${specifier}`;
}

/** `runs` in a list means the room `runs`, not the rooms below it; `server/protocol.ts` means that file. */
function covers(name: string, target: string): boolean {
  return roomOf(target).path === name || target === pathOf(name);
}

function all(exceptions: readonly Exception[], key: "imports" | "packages" | "node"): string[] {
  return exceptions.flatMap((one) => one[key] ?? []);
}

function familyRefusal(path: string, target: string | undefined): string | undefined {
  const family = families.find((one) => isWithin(path, one.path));
  if (family === undefined || target === undefined || !isWithin(target, family.path)) return undefined;
  const own = memberOf(path, family.path);
  const other = memberOf(target, family.path);
  if (own === undefined || other === undefined || own === other || family.shared.includes(other))
    return undefined;
  if (family.shared.includes(own)) return `what is shared may not import one ${family.member}`;
  return `one ${family.member} may not import another`;
}

/** The folder of the agent, output or command that the file belongs to. */
export function memberFolderOf(path: string): string | undefined {
  for (const family of families) {
    const member = isWithin(path, family.path) ? memberOf(path, family.path) : undefined;
    if (member !== undefined && !family.shared.includes(member)) return `${family.path}/${member}`;
  }
  return undefined;
}

function memberOf(path: string, family: string): string | undefined {
  const parts = path.slice(family.length + 1).split("/");
  return parts.length > 1 ? parts[0] : undefined;
}

function pathOf(room: string): string {
  return room === "page" ? "page/src" : `src/${room}`;
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Every import of Node that a program loads which starts at this file, with the files that lead there. */
export function findNodeImports(tree: ReadonlyMap<string, SourceFile>, entry: string): string[] {
  const trails = new Map([[entry, entry]]);
  const found: string[] = [];
  for (const [path, trail] of trails) {
    for (const { specifier, target, isType } of tree.get(path)?.imports ?? []) {
      if (isType) continue;
      if (specifier.startsWith("node:")) found.push(`${trail} → ${specifier}`);
      if (target !== undefined && !trails.has(target)) trails.set(target, `${trail} → ${target}`);
    }
  }
  return found;
}
