import { families } from "./import-rules.js";
import type { SourceFile } from "./source-tree.js";

export const limits = { functionLines: 80, fileLines: 300, crumbLines: 15 };

type Tree = ReadonlyMap<string, SourceFile>;

export function findLongFunctions(tree: Tree): string[] {
  return [...tree.values()].flatMap(({ path, functions }) =>
    functions
      .filter(({ lineCount }) => lineCount > limits.functionLines)
      .map(({ name, line, lineCount }) => `${path} ${name}: ${lineCount} lines, from line ${line}`),
  );
}

export function findLongFiles(tree: Tree): string[] {
  return [...tree.values()]
    .filter(({ lineCount }) => lineCount > limits.fileLines)
    .map(({ path, lineCount }) => `${path}: ${lineCount} lines`);
}

/**
 * Small files that only one other file imports: they belong into that file. Types alone may stand alone, and so may the
 * files that every member of a family has.
 */
export function findCrumbs(tree: Tree): string[] {
  const importers = importersOf(tree);
  return [...tree.values()]
    .filter((file) => file.lineCount < limits.crumbLines && !file.isTypesOnly && !isUsualFile(file.path))
    .flatMap(({ path, lineCount }) => {
      const [first, ...others] = importers.get(path) ?? [];
      return first === undefined || others.length > 0
        ? []
        : [`${path}: ${lineCount} lines, only for ${first}`];
    });
}

function importersOf(tree: Tree): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const { path, imports } of tree.values()) {
    for (const { target } of imports) {
      if (target === undefined) continue;
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return importers;
}

function isUsualFile(path: string): boolean {
  return families.some(({ path: family, usualFiles }) => {
    const [, name] = path.startsWith(`${family}/`) ? path.slice(family.length + 1).split("/") : [];
    return name !== undefined && usualFiles.includes(name);
  });
}
