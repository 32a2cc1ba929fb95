import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../src/cli/program.js";
import type { OutputDefinition } from "../../src/outputs/contract.js";
import { outputs } from "../../src/outputs/registry.js";
import { streamSchemas } from "../../src/outputs/schemas.js";
import { helpTopic } from "../support/help-topic.js";

/** `src/outputs/registry.ts` is the one list of outputs. Whatever names outputs has the same ones. */
const definitions: readonly OutputDefinition[] = outputs;
const names = definitions.map(({ name }) => name).sort();

const page = fileURLToPath(new URL("../../docs/output.md", import.meta.url));
const start = "<!-- outputs: written from src/outputs/registry.ts -->\n";
const end = "<!-- /outputs -->";

describe("the registry of outputs", () => {
  it.each(["run", "translate", "sessions replay"])("has the choices of `%s --format`", (path) => {
    expect([...choicesOf(path)].sort()).toEqual(names);
  });

  it("has the rows of docs/output.md", () => {
    const [before = "", rest = ""] = readFileSync(page, "utf8").split(start);
    const wanted = `${before}${start}${renderTable()}${rest.slice(rest.indexOf(end))}`;
    if (process.env["HARNESS_ACCEPT"]) writeFileSync(page, wanted);
    const hint = "HARNESS_ACCEPT=1 npx vitest run test/docs writes the table";
    expect(readFileSync(page, "utf8"), hint).toBe(wanted);
  });

  it("has the lines of `harness help formats`", async () => {
    const lines = [...(await helpTopic("formats")).matchAll(/^ {2}--format ([\w-]+)/gm)];
    expect(
      lines.map(([, name]) => name).sort(),
      "the topic `formats` of src/cli/help has one line for each output",
    ).toEqual(names);
  });

  it("has the published schemas", async () => {
    const loaded = await Promise.all(
      definitions.flatMap(({ name, schema }) =>
        schema === undefined ? [] : [schema().then((one) => [name, one] as const)],
      ),
    );
    const hint = "every output with a schema is in streamSchemas (src/outputs/schemas.ts), with that schema";
    expect(loaded.map(([name]) => name).sort(), hint).toEqual(Object.keys(streamSchemas).sort());
    for (const [name, published] of Object.entries(streamSchemas))
      expect(new Map(loaded).get(name) === published, `${hint}: ${name}`).toBe(true);
  });

  it("has a name and an ending only once", () => {
    const endings = definitions.flatMap(({ extensions = [] }) => extensions);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(endings).size).toBe(endings.length);
  });
});

function renderTable(): string {
  const rows = definitions.map(
    ({ name, summary, isForPeople }) =>
      `| \`${name}\` | ${summary} | ${isForPeople ? "people" : "programs"} |\n`,
  );
  return `| format | what it prints | for |\n| --- | --- | --- |\n${rows.join("")}`;
}

function choicesOf(path: string): readonly string[] {
  let command: Command | undefined = createProgram(() => {});
  for (const word of path.split(" ")) command = command?.commands.find((one) => one.name() === word);
  return command?.options.find(({ long }) => long === "--format")?.argChoices ?? [];
}
