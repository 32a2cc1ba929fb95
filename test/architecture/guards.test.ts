import { describe, expect, it } from "vitest";
import { findBreaks, findNodeImports } from "./check-imports.js";
import { findReExports, findSharedNames } from "./check-names.js";
import { findCrumbs, findLongFiles, findLongFunctions, limits } from "./check-sizes.js";
import { rooms } from "./import-rules.js";
import { readSourceTree, type SourceFile } from "./source-tree.js";

const tree = readSourceTree();
const publicEntries = ["src/core.ts", "src/index.ts", "src/testing/index.ts"];

/** Each guard returns what it found as `what: why`. */
const guards: Record<string, (tree: ReadonlyMap<string, SourceFile>) => string[]> = {
  "imports follow import-rules.ts": findBreaks,
  [`no function has more than ${limits.functionLines} lines`]: findLongFunctions,
  [`no file has more than ${limits.fileLines} lines`]: findLongFiles,
  [`no file under ${limits.crumbLines} lines is there for one other file`]: findCrumbs,
  "no name is exported by two rooms that one file may import": findSharedNames,
  "only the public entries do nothing but re-export": (files) =>
    findReExports(files).filter((path) => !publicEntries.includes(path)),
};

describe("the source", () => {
  it.each(Object.entries(guards))("%s", (_name, find) => {
    expect(find(tree)).toEqual([]);
  });
});

describe("the rules of imports", () => {
  it("are in layers: a room only imports rooms above it", () => {
    const above = new Set<string>();
    for (const room of rooms) {
      const imported = [...room.imports, ...(room.exceptions ?? []).flatMap((one) => one.imports ?? [])];
      expect(
        imported.filter((name) => !above.has(name)),
        room.path,
      ).toEqual([]);
      above.add(room.path);
    }
  });

  it("name no room that has no files", () => {
    const paths = [...tree.keys()];
    const empty = rooms.filter(
      ({ path }) => path !== "page" && !paths.some((file) => `${file}/`.startsWith(`src/${path}/`)),
    );
    expect(empty).toEqual([]);
  });
});

it.each(["src/core.ts", "page/src/main.tsx"])("nothing that %s loads imports Node", (entry) => {
  expect(findNodeImports(tree, entry)).toEqual([]);
});

it("every import names a file that exists", () => {
  const missing = [...tree.values()].flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target !== undefined && !tree.has(target))
      .map(({ specifier }) => `${path} → ${specifier}`),
  );
  expect(missing).toEqual([]);
});
