import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readSourceTree } from "../architecture/source-tree.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

const pages = ["", "docs/", "docs/decisions/", "docs/guides/", "docs/start/", "bench/"].flatMap((folder) =>
  readdirSync(`${root}${folder}`)
    .filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md")
    .map((name) => `${folder}${name}`),
);

const roots = "src|test|page|scripts|bench|examples";

it.each(pages)("%s names files that exist", (page) => {
  const text = readFileSync(`${root}${page}`, "utf8");
  const named = [...text.matchAll(new RegExp(`\`((?:${roots})/[\\w./*<>-]+)\``, "g"))];
  expect(named.map(([, path = ""]) => path).filter((path) => !isThere(path))).toEqual([]);
});

it("ARCHITECTURE.md names files of rooms that exist", () => {
  const text = readFileSync(`${root}ARCHITECTURE.md`, "utf8");
  const rooms = readdirSync(`${root}src`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const named = [...text.matchAll(/`(([a-z]+)\/[\w./*<>-]+)`/g)].filter(([, , room]) =>
    rooms.some(({ name }) => name === room),
  );
  expect(named.map(([, path]) => `src/${path}`).filter((path) => !isThere(path))).toEqual([]);
});

it("comments and messages of the code name files that exist", () => {
  const tests = readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.m?ts$/.test(name) && !/^(fixtures|architecture)/.test(name))
    .map((name) => `test/${name.replaceAll("\\", "/")}`);
  const wrong = [...readSourceTree().keys(), ...tests].flatMap((file) => {
    const text = readFileSync(`${root}${file}`, "utf8");
    const named = text.matchAll(/`((?:src|test|page|scripts|bench)\/[\w./-]+)`/g);
    return [...named].flatMap(([, path = ""]) => (isThere(path) ? [] : [`${file} names ${path}`]));
  });
  expect(wrong).toEqual([]);
});

/** `<id>` and `*` stand for any name; a test may be named without its ending; results are not in the repository. */
function isThere(path: string): boolean {
  if (path.startsWith("bench/results/")) return true;
  const fixed = path.replace(/[^/]*[<*].*$/, "");
  return ["", ".ts", ".test.ts"].some((ending) => existsSync(`${root}${fixed}${ending}`));
}
