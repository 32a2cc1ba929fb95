import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { findBreaks, findNodeImports } from "./check-imports.js";
import { findReExports, findSharedNames } from "./check-names.js";
import { findCrumbs, findLongFiles, findLongFunctions } from "./check-sizes.js";
import { readSourceTree, type SourceFile } from "./source-tree.js";

/** A guard that notices nothing would pass as well: here is what each of them must notice. */
function treeOf(files: Readonly<Record<string, string>>): Map<string, SourceFile> {
  const root = mkdtempSync(join(tmpdir(), "house-"));
  for (const [path, text] of Object.entries({ "page/src/main.tsx": "", ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return readSourceTree(root);
}

const lines = (count: number) => "  go();\n".repeat(count);

it.each([
  ["a room below", "src/story/a.ts", 'import type { B } from "../runs/b.js";', "src/runs/b.ts"],
  [
    "a room below, when it runs",
    "src/text/a.ts",
    'const a = await import("../story/b.js");',
    "src/story/b.ts",
  ],
  ["a type in the middle of a line", "src/text/a.ts", 'type A = import("../cli/b.js").B;', "src/cli/b.ts"],
  ["a room by re-export", "src/events/a.ts", 'export * from "../agents/b.js";', "src/agents/b.ts"],
  [
    "a value where types are allowed",
    "page/src/a.ts",
    'import { b } from "../../src/server/protocol.js";',
    "",
  ],
  ["another agent", "src/agents/x/a.ts", 'import { b } from "../y/b.js";', "src/agents/y/b.ts"],
  ["another output", "src/outputs/x/a.ts", 'import { b } from "../y/b.js";', "src/outputs/y/b.ts"],
  ["another command", "src/cli/x/a.ts", 'import { b } from "../y/b.js";', "src/cli/y/b.ts"],
  ["Node", "src/outputs/text/a.ts", 'import { b } from "node:crypto";', ""],
  ["a package", "src/agents/a.ts", 'import { b } from "commander";', ""],
])("importing %s is noticed", (_what, path, text, target) => {
  const files = { "src/server/protocol.ts": "", ...(target !== "" && { [target]: "" }), [path]: text };
  expect(findBreaks(treeOf(files))).toHaveLength(1);
});

it("what the rules allow is left alone", () => {
  const tree = treeOf({
    "page/src/a.ts": 'import type { B } from "../../src/server/protocol.js";',
    "src/server/protocol.ts": 'import { c } from "../runs/c.js";',
    "src/runs/c.ts": 'import "./files/d.js";',
    "src/runs/files/d.ts": "",
    "src/config/e.ts": 'import "../runs/files/d.js";',
    "src/outputs/html/f.ts": 'import { b } from "node:crypto";',
    "src/process/inspect-agent.ts": 'import "../agents/g.js";',
    "src/agents/g.ts": "",
  });
  expect(findBreaks(tree)).toEqual([]);
});

it("a folder without rules is noticed", () => {
  expect(() => findBreaks(treeOf({ "src/attic/a.ts": 'import "./b.js";', "src/attic/b.ts": "" }))).toThrow(
    "src/attic/a.ts is in no room",
  );
});

it("long functions and files are noticed", () => {
  const tree = treeOf({
    "src/text/a.ts": `export const a = () => {\n${lines(79)}};\nexport function b() {\n${lines(78)}}\n`,
    "src/text/b.ts": lines(301),
    "src/text/c.ts": lines(300),
  });
  expect(findLongFunctions(tree)).toEqual(["src/text/a.ts a: 81 lines, from line 1"]);
  expect(findLongFiles(tree)).toEqual(["src/text/b.ts: 301 lines"]);
});

it("crumbs are noticed, types and usual files are not", () => {
  const tree = treeOf({
    "src/text/a.ts": 'import { b } from "./b.js";\nimport type { C } from "./c.js";',
    "src/text/b.ts": "export const b = 1;",
    "src/text/c.ts": "export interface C {}",
    "src/agents/registry.ts": 'import { d } from "./d/definition.js";',
    "src/agents/d/definition.ts": "export const d = 1;",
  });
  expect(findCrumbs(tree)).toEqual(["src/text/b.ts: 1 lines, only for src/text/a.ts"]);
});

it("names of two rooms are noticed where they can meet", () => {
  const tree = treeOf({
    "src/text/a.ts": "export const cut = 1;",
    "src/cli/b.ts": "export function cut() {}",
    "src/agents/x/c.ts": "export const calls = 1;",
    "src/outputs/y/d.ts": "export const calls = 2;",
    "src/testing/e.ts": "export const calls = 3;",
  });
  expect(findSharedNames(tree)).toEqual(["cut: src/cli/b.ts, src/text/a.ts"]);
});

it("files that only re-export are noticed", () => {
  const tree = treeOf({
    "src/text/a.ts": 'import { b } from "./b.js";\nexport { b };',
    "src/text/b.ts": "export const b = 1;",
  });
  expect(findReExports(tree)).toEqual(["src/text/a.ts"]);
});

it("Node behind other files is noticed, types of it are not", () => {
  const tree = treeOf({
    "src/core.ts": 'import "./a.js";\nimport type { C } from "./c.js";',
    "src/a.ts": 'import { b } from "node:fs";',
    "src/c.ts": 'import { b } from "node:fs";',
  });
  expect(findNodeImports(tree, "src/core.ts")).toEqual(["src/core.ts → src/a.ts → node:fs"]);
});
