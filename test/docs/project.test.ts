import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

it(".editorconfig says the same as the formatter", () => {
  const { formatter } = JSON.parse(readFileSync(`${root}biome.json`, "utf8"));
  const everywhere = readFileSync(`${root}.editorconfig`, "utf8").split(/^\[/m)[1] ?? "";
  const settings = Object.fromEntries(
    [...everywhere.matchAll(/^(\w+) = (.+)$/gm)].map(([, key, value]) => [key, value]),
  );
  expect(settings).toMatchObject({
    indent_style: formatter.indentStyle,
    indent_size: String(formatter.indentWidth),
    max_line_length: String(formatter.lineWidth),
    // What the formatter does unless it is told otherwise.
    end_of_line: formatter.lineEnding ?? "lf",
    insert_final_newline: "true",
  });
});

it("the index of decisions has every record, in order, with its title", () => {
  const records = pagesIn("docs/decisions").filter((name) => /\/\d{4}-/.test(name));
  const rows = records.map((name, index) => {
    const number = String(index + 1).padStart(4, "0");
    const title = /^# (\d{4}): (.+)$/m.exec(readFileSync(`${root}${name}`, "utf8"));
    expect(title?.[1]).toBe(number);
    return `| [${number}](${name.replace("docs/decisions/", "")}) | ${title?.[2]} |`;
  });
  const index = readFileSync(`${root}docs/decisions/README.md`, "utf8");
  expect(index.split("\n").filter((line) => line.startsWith("| [0"))).toEqual(rows);
});

it("records of decisions name rooms and files that exist", () => {
  for (const name of pagesIn("docs/decisions")) {
    for (const [, path = ""] of readFileSync(`${root}${name}`, "utf8").matchAll(
      /`((?:src|test|scripts)\/[^`]+)`/g,
    ))
      expect(existsSync(`${root}${path}`), `${name} names ${path}`).toBe(true);
  }
});

it.each([
  "README.md",
  "VERSIONING.md",
  "CONTRIBUTING.md",
  "docs/README.md",
  ...["docs/decisions", "docs/guides", "docs/reference", "docs/start"].flatMap(pagesIn),
])("the links of %s lead to files and headings", (name) => {
  const folder = new URL(name, `file://${root}`);
  for (const [, target = ""] of readFileSync(folder, "utf8").matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? fileURLToPath(folder) : fileURLToPath(new URL(path, folder));
    expect(existsSync(file), `${name} links to ${target}`).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(file), `${name} links to ${target}`).toContain(anchor);
  }
});

function pagesIn(folder: string): string[] {
  return readdirSync(`${root}${folder}`)
    .sort()
    .map((name) => `${folder}/${name}`);
}

/** As GitHub makes them from headings. */
function anchorsOf(file: string): string[] {
  const headings = [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, text = ""]) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
