import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command, Option } from "commander";
import { expect, it } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.js";
import { createProgram } from "../../src/cli/program.js";
import { knownKeys } from "../../src/config/schema.js";
import * as core from "../../src/core.js";
import * as library from "../../src/index.js";
import * as testing from "../../src/testing/index.js";
import { exportedNames } from "../support/exported-names.js";

/**
 * `docs/stable-names.md` lists names that VERSIONING.md makes a promise about. It is written from the code, so that
 * nobody adds or removes one by accident. `HARNESS_ACCEPT=1 npx vitest run test/docs` writes it again.
 */
const root = fileURLToPath(new URL("../../", import.meta.url));
const file = `${root}docs/stable-names.md`;

const entries = [
  { name: "harness-stream", source: "src/index.ts", module: library },
  { name: "harness-stream/core", source: "src/core.ts", module: core },
  { name: "harness-stream/testing", source: "src/testing/index.ts", module: testing },
];

it("docs/stable-names.md lists every public name", () => {
  const text = render();
  if (process.env["HARNESS_ACCEPT"]) writeFileSync(file, text);
  const hint =
    "a public name was added or removed. If that is meant: run HARNESS_ACCEPT=1 npx vitest run test/docs and add a line to CHANGELOG.md (see VERSIONING.md)";
  expect(readFileSync(file, "utf8"), hint).toBe(text);
});

it.each(entries)(
  "the values that the source of $name names are those that it exports",
  ({ source, module }) => {
    expect(exportedNames(`${root}${source}`).values).toEqual(Object.keys(module).sort());
  },
);

it("the entries are those that package.json exports", () => {
  const { name, exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const paths = Object.keys(exports).filter((path) => path !== "./package.json" && path !== "./agents/*");
  expect(entries.map((entry) => entry.name)).toEqual(paths.map((path) => path.replace(/^\./, name)));
});

it.each(core.agents.map(({ id }) => id))(
  "harness-stream/agents/%s exports the agent under its id",
  async (id) => {
    const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
    const source = exports["./agents/*"].default
      .replace("./dist/", "src/")
      .replace("*", id)
      .replace(/js$/, "ts");
    expect(Object.keys(await import(`${root}${source}`))).toEqual([id]);
  },
);

function render(): string {
  return `# Stable names

Names that [VERSIONING.md](../VERSIONING.md) makes a promise about. A test writes this page from the code.

## The library

${entries.map(renderEntry).join("\n\n")}

## Agents

${inline(core.agents.map(({ id }) => id).sort())}

\`harness-stream/agents/<id>\` exports the definition of each under its id.

## Streams

A \`?\` marks a field that may be absent.

${Object.keys(library.streamSchemas).sort().map(renderStream).join("\n\n")}

## Exit codes

${table(
  ["code", "name"],
  Object.entries(exitCodes).map(([name, code]) => [`\`${code}\``, name]),
)}

## Error codes

${inline(errorCodes())}

## Commands

${table(["command", "arguments", "options"], commandsOf(createProgram(() => {})).map(commandRow))}

## Configuration

Keys of \`harness.toml\`: ${inline([...knownKeys.root].sort())}

Keys of \`[agents.NAME]\`: ${inline([...knownKeys.agents].sort())}
`;
}

function renderEntry({ name, source }: (typeof entries)[number]): string {
  const all = exportedNames(`${root}${source}`);
  const ofCore = name === "harness-stream" ? exportedNames(`${root}src/core.ts`) : { values: [], types: [] };
  const own = (kind: "values" | "types") => all[kind].filter((one) => !ofCore[kind].includes(one));
  return [
    `### \`${name}\``,
    ...(name === "harness-stream" ? ["Everything in `harness-stream/core`, and:"] : []),
    `Values: ${inline(own("values"))}`,
    `Types: ${inline(own("types"))}`,
  ].join("\n\n");
}

interface Schema {
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  const?: unknown;
  enum?: unknown[];
}

function renderStream(name: string): string {
  const schema = library.createJsonSchema(name as library.StreamName) as Schema;
  const items = schema.oneOf ?? [schema];
  const title = `### \`${name}\``;
  if (schema.oneOf === undefined) return `${title}\n\n${fieldsOf(schema).join(", ")}`;
  return `${title}\n\n${table(
    ["item", "fields"],
    items.map((item) => [discriminatorOf(item), fieldsOf(item).join(", ")]),
  )}`;
}

function discriminatorOf({ properties = {} }: Schema): string {
  const key = ["type", "kind", "stream"].find((name) => properties[name] !== undefined) ?? "";
  return wordsOf(properties[key] ?? {})
    .map((word) => `\`${word}\``)
    .join(" ");
}

/** `name`, `name?`, `outer.inner`, `list[].inner`, with the words that a field can have. */
function fieldsOf(schema: Schema, prefix = ""): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const mark = schema.required?.includes(key) ? "" : "?";
    const words = wordsOf(field);
    const choice = words.length > 1 ? ` (${words.join(" ")})` : "";
    const inner = field.items
      ? fieldsOf(field.items, `${prefix}${key}[].`)
      : fieldsOf(field, `${prefix}${key}.`);
    return [`\`${prefix}${key}${mark}\`${choice}`, ...inner];
  });
}

function wordsOf(schema: Schema): string[] {
  return (schema.enum ?? (schema.const === undefined ? [] : [schema.const])).map(String);
}

/** Those of docs/errors.md, which another test compares with the code. */
function errorCodes(): string[] {
  const rows = readFileSync(`${root}docs/errors.md`, "utf8").split("\n");
  return rows
    .filter((row) => row.startsWith("| `"))
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([a-z_]+)`/g)])
    .map(([, code = ""]) => code)
    .sort();
}

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

function commandRow(command: Command): string[] {
  const words = command.registeredArguments.map((one) => `\`${one.name()}\``);
  return [`\`${pathOf(command)}\``, words.join(" "), command.options.map(describeOption).join(", ")];
}

function describeOption({ flags, argChoices }: Option): string {
  return `\`${flags}\`${argChoices === undefined ? "" : ` (${[...argChoices].sort().join(" ")})`}`;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function inline(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(" · ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
