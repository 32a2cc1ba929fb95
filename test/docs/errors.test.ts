import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("../../src/", import.meta.url));

/** `ErrorCode`, which the compiler holds every `new HarnessError` to. */
const declared = codesIn(
  read("errors.ts").split("export class HarnessError")[0] ?? "",
  /^ {2}\| "([a-z_]+)"/gm,
);

it("docs/errors.md has every error code, once, and no other", () => {
  const document = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  const rows = document.split("\n").filter((line) => line.startsWith("| `"));
  const documented = rows.flatMap((row) => codesIn(row.split("|")[1] ?? "", /`([a-z_]+)`/g));
  expect(documented.sort()).toEqual(declared);
});

it("every error code is declared in alphabetical order and can be thrown", () => {
  expect(declared.length).toBeGreaterThan(40);
  expect(declared).toEqual([...new Set(declared)].sort());
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const thrown = files.flatMap((name) => codesIn(read(name), /new HarnessError\(\s*"([a-z_]+)"/g));
  const passed = files.flatMap((name) => codesIn(read(name), /checkOptions\([^;]*, "([a-z_]+)"\)/g));
  expect(declared.filter((code) => ![...thrown, ...passed].includes(code))).toEqual([]);
});

function read(name: string): string {
  return readFileSync(`${source}${name}`, "utf8");
}

function codesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, code = ""]) => code);
}
