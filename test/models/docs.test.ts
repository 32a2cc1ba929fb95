import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { builtInModels } from "../../src/models/built-in.js";
import { families } from "../../src/models/built-in-data.js";
import { parseRegistry } from "../../src/models/parse-registry.js";

/** `HARNESS_ACCEPT=1 vitest run test/models/docs.test.ts` rewrites the table. */
const file = fileURLToPath(new URL("../../docs/models.md", import.meta.url));
const table = /(<!-- families: [^>]* -->\n)[\s\S]*?(<!-- \/families -->)/;

it("docs/models.md lists the built-in names", () => {
  const text = readFileSync(file, "utf8");
  const expected = text.replace(table, (_all, begin, end) => `${begin}${renderFamilies()}${end}`);
  if (process.env["HARNESS_ACCEPT"]) writeFileSync(file, expected);
  expect(text).toMatch(table);
  expect(readFileSync(file, "utf8")).toBe(expected);
});

it("docs/models.md shows a valid registry", () => {
  const example = /^ {4}\[models\.house\][\s\S]*?^ {4}source.*$/m.exec(readFileSync(file, "utf8"))?.[0] ?? "";
  expect(parseRegistry(example, "the example").models.get("house")?.price?.cacheRead).toBe(0.04);
});

function renderFamilies(): string {
  const rows = Object.entries(families).map(([name, { description, model }]) => {
    const agents = [...(builtInModels.models.get(name)?.ids.keys() ?? [])].sort();
    return `| \`${name}\` | ${description} | \`${model}\` | ${agents.join(", ")} |\n`;
  });
  return `| name | what it is | now | agents |\n| --- | --- | --- | --- |\n${rows.join("")}`;
}
