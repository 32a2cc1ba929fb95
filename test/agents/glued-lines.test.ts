import { expect, it } from "vitest";
import { createTranslator } from "../../src/agents/create-translator.js";
import { agents } from "../../src/agents/registry.js";
import { captureNames, readCapture } from "../support/captures.js";

/** One line of each kind that an agent prints, as far as its beginning tells. */
function kindsOf(agent: string): string[] {
  const lines = captureNames(agent).flatMap((scenario) => readCapture(agent, scenario).stdout);
  const records = lines.filter((line) => line.startsWith("{") && line.endsWith("}") && line.length < 10_000);
  const head = (line: string) => line.slice(0, 140).replace(/\d/g, "0");
  return [...new Map(records.map((line) => [head(line), line])).values()].filter(isJson);
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

const streaming = agents
  .filter(({ id, traits }) => id !== "generic" && !traits.isLiveOnly)
  .map(({ id }) => id);

it.each(streaming)("%s: a line that is torn, or two that are one, is kept as it came", (agent) => {
  const kinds = kindsOf(agent);
  expect(kinds.length).toBeGreaterThan(3);
  for (const line of kinds) {
    for (const damaged of [line + line, `${line}{"type":"other"}`, line.replace(/\}+$/, "")]) {
      const translator = createTranslator(agent, { cwd: "/workspace" });
      const events = translator.line(damaged);
      expect(
        events.some((event) => event.type === "unknown" && event.raw === damaged),
        damaged.slice(0, 300),
      ).toBe(true);
    }
  }
});
