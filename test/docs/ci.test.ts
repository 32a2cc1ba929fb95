import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { stepOutputNames } from "../../src/outputs/github/step-outputs.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string): string => readFileSync(`${root}${name}`, "utf8");
const action: { inputs: object; outputs: object } = parse(read("action.yml"));

const samples = readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) =>
    [...read(`docs/${name}`).matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = ""]) => ({ name, text })),
  );

/** Every object in a value, however deep. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value as Record<string, unknown>, ...inside];
}

it("every YAML sample of the documents is YAML, and uses the action as it is", () => {
  const problems: string[] = [];
  let uses = 0;
  for (const { name, text } of samples) {
    const steps = objectsIn(parse(text));
    if (steps.length === 0) problems.push(`${name}: nothing is in it`);
    for (const { uses: what, with: given = {}, run } of steps) {
      // What a stranger may have written must not become a part of a script.
      if (typeof run === "string" && run.includes("${{")) problems.push(`${name}: ${run}`);
      if (typeof what !== "string" || !what.startsWith("OWNER/harness@")) continue;
      uses += 1;
      for (const input of Object.keys(given as object))
        if (!Object.hasOwn(action.inputs, input)) problems.push(`${name}: there is no input ${input}`);
    }
    for (const [, output = ""] of text.matchAll(/steps\.agent\.outputs\.([\w-]+)/g))
      if (!Object.hasOwn(action.outputs, output)) problems.push(`${name}: there is no output ${output}`);
  }
  expect(problems).toEqual([]);
  expect(uses).toBeGreaterThan(0);
});

it("the pages have every input and output of the action", () => {
  const named = (page: string, heading: string): string[] => {
    const table = read(page).split(heading)[1]?.split("\n\n")[0] ?? "";
    return [...table.matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm)].flatMap(([, cell = ""]) =>
      cell.replaceAll("`", "").split(", "),
    );
  };
  expect(named("docs/guides/ci.md", "| input | meaning | default |").toSorted()).toEqual(
    Object.keys(action.inputs).toSorted(),
  );
  expect(named("docs/interop/github.md", "| output | value |")).toEqual([...stepOutputNames]);
});
