import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { allRuns, type Exception, pure, type Room, rooms } from "./import-rules.js";
import { projectRoot } from "./source-tree.js";

/** The table of ARCHITECTURE.md is written from the rules: `HARNESS_ACCEPT=1 npx vitest run test/architecture`. */
const file = `${projectRoot}ARCHITECTURE.md`;
const start = "<!-- rooms: written from test/architecture/import-rules.ts -->\n";
const end = "<!-- /rooms -->";

it("the table of ARCHITECTURE.md is the one of import-rules.ts", () => {
  const text = readFileSync(file, "utf8");
  const [before = "", rest = ""] = text.split(start);
  const after = rest.slice(rest.indexOf(end));
  const wanted = `${before}${start}${renderTable()}${after}`;
  if (process.env["HARNESS_ACCEPT"]) writeFileSync(file, wanted);
  const hint = "HARNESS_ACCEPT=1 npx vitest run test/architecture writes it";
  expect(readFileSync(file, "utf8"), hint).toBe(wanted);
});

it("ARCHITECTURE.md says why every dependency is there", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(`${projectRoot}package.json`, "utf8"));
  const text = readFileSync(file, "utf8");
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const unnamed = names.filter((name) => !text.includes(`\`${name}\``) && !text.includes(familyOf(name)));
  expect(unnamed).toEqual([]);
});

/** `@secretlint/core` may be named as one of `@secretlint/*`. */
function familyOf(name: string): string {
  return `\`${name.replace(/\/.*/, "/*")}\``;
}

function renderTable(): string {
  const rows = rooms.map((room) => [`\`${placeOf(room)}\``, room.about, importsOf(room), besidesOf(room)]);
  const lines = [
    ["room", "what is in it", "may import", "packages, Node"],
    ["---", "---", "---", "---"],
    ...rows,
  ];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

function placeOf({ path }: Room): string {
  if (path === "page") return "page/src/";
  return path.endsWith(".ts") ? `src/${path}` : `src/${path}/`;
}

function importsOf({ imports, types = [], exceptions = [] }: Room): string {
  const groups = { "the pure rooms": pure, "all of runs": allRuns };
  const whole = Object.entries(groups).filter(([, group]) => group.every((name) => imports.includes(name)));
  const grouped = whole.flatMap(([, group]) => group);
  const parts = [
    ...whole.map(([words]) => words),
    ...imports.filter((name) => !grouped.includes(name)),
    ...types.map((name) => `types of \`${name}\``),
    ...exceptions.flatMap((one) => (one.imports ?? []).map((name) => `${name} (only \`${one.path}\`)`)),
  ];
  return parts.join(", ") || "—";
}

function besidesOf({ packages = [], isNode, exceptions = [] }: Room): string {
  const parts = [
    ...packages.map((name) => `\`${name}\``),
    ...(isNode === true ? ["Node"] : []),
    ...exceptions.flatMap(exceptionOf),
  ];
  return parts.join(", ") || "—";
}

function exceptionOf({ path, packages = [], node = [] }: Exception): string[] {
  return [...packages, ...node].map((name) => `\`${name}\` (only \`${path}\`)`);
}
