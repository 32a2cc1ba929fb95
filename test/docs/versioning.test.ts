import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.js";
import { createJsonSchema, streamSchemas } from "../../src/index.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(`${root}VERSIONING.md`, "utf8");
const { version, engines, files } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

it("names every stream that has a schema", () => {
  const row = rowOf("streams");
  // The records of `raw.jsonl` are promised with recordings.
  const streams = Object.keys(streamSchemas).filter((name) => name !== "raw");
  expect(wordsIn(row.split("|")[1])).toEqual(streams.sort());
});

it("names every exit code of the command, and no other", () => {
  const codes = [...(rowOf("exit codes").split("|")[2] ?? "").matchAll(/\d+/g)].map(([code]) => Number(code));
  expect(codes).toEqual(Object.values(exitCodes).sort((a, b) => a - b));
});

it("names every environment variable that the code reads or sets by name", () => {
  const section = page.slice(
    page.indexOf("### Environment variables"),
    page.indexOf("## What is not stable"),
  );
  const named = wordsIn(section).filter((word) => /^[A-Z][A-Z_]+$/.test(word));
  expect(named).toEqual(variablesInCode());
});

it("says which Node is needed, as package.json does", () => {
  expect(page).toContain(`Node ${engines.node.replace(">=", "")} or later`);
});

it("schemas reject unknown fields, as it says", () => {
  expect(JSON.stringify(createJsonSchema("json"))).toContain('"additionalProperties":false');
});

it("gives the current minor version as the one to pin while the version is 0.x", () => {
  const [major, minor] = version.split(".");
  const pin = /"harness-stream": "~(.+?)"/.exec(page)?.[1];
  expect(major === "0" ? pin : undefined).toBe(major === "0" ? `0.${minor}.0` : undefined);
});

it("the newest heading of CHANGELOG.md is the version of the package", () => {
  const heading = /^## (\S+)/m.exec(readFileSync(`${root}CHANGELOG.md`, "utf8"))?.[1];
  expect(heading).toBe(version);
});

it("is in the package", () => {
  expect(files).toEqual(expect.arrayContaining(["VERSIONING.md", "CHANGELOG.md", "docs/*.md"]));
});

function rowOf(beginning: string): string {
  const row = page.split("\n").find((line) => line.startsWith(`| ${beginning}`));
  if (row === undefined) throw new Error(`VERSIONING.md has no row that begins with "${beginning}"`);
  return row;
}

function wordsIn(text = ""): string[] {
  return [...new Set([...text.matchAll(/`([^`…]+)`/g)].map(([, word = ""]) => word))].sort();
}

/** `src/testing` sets variables of other programs. */
function variablesInCode(): string[] {
  const sources = readdirSync(`${root}src`, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.startsWith("testing/"),
  );
  const found = sources.flatMap((name) => [
    ...readFileSync(`${root}src/${name}`, "utf8").matchAll(/\benv\["([A-Z][A-Z_]+)"\]|"(HARNESS_[A-Z_]+)"/g),
  ]);
  return [...new Set(found.map(([, read, own]) => read ?? own ?? ""))].sort();
}
