import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("../../src/", import.meta.url));
const document = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");

it("docs/errors.md has every code that can be thrown, once, and no other", () => {
  const thrown = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [
      ...readFileSync(`${source}${name}`, "utf8").matchAll(/new HarnessError\(\s*"([a-z_]+)"/g),
    ])
    .map(([, code]) => code);
  const rows = document.split("\n").filter((line) => line.startsWith("| `"));
  const told = rows
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([a-z_]+)`/g)])
    .map(([, code]) => code);
  expect(told.sort()).toEqual([...new Set(thrown)].sort());
});
