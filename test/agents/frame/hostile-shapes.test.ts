import { describe, expect, it } from "vitest";
import { createFramedTranslator } from "../../../src/agents/frame/frame.js";
import { agents } from "../../../src/agents/registry.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import { formatEvents } from "../../../src/outputs/format-events.js";
import { formatNames } from "../../../src/outputs/formats.js";
import { slimEvent } from "../../../src/server/slim-event.js";
import { jsonPieces, longFrom } from "../../../src/text/json-pieces.js";
import { parseExact } from "../../../src/text/parse-exact.js";
import { toJson, toNdjson } from "../../../src/text/to-json.js";

/** Values of about `n` parts that somebody could send to hold us up. */
const shapes: Record<string, (n: number) => string> = {
  "many keys": (n) => `{${range(n, (i) => `"key${i}":${i}`)}}`,
  "many numeric keys": (n) => `{${range(n, (i) => `"${i * 7}":"x"`)}}`,
  "the same key": (n) => `{${range(n, () => '"k":1')}}`,
  "keys of prototypes": (n) => `{"__proto__":{"constructor":[${range(n, () => '{"__proto__":1}')}]}}`,
  "deep arrays": (n) => `${"[".repeat(n)}${"]".repeat(n)}`,
  "deep objects": (n) => `${'{"a":'.repeat(n)}1${"}".repeat(n)}`,
  "deep, with a number that keeps its spelling": (n) => `${"[".repeat(n)}1e999${"]".repeat(n)}`,
  "short strings": (n) => `[${range(n, (i) => `"${i}"`)}]`,
  "numbers that keep their spelling": (n) => `[${range(n, () => "12345678901234567890")}]`,
  "one long number": (n) => `[${"9".repeat(n * 10)},1e${"9".repeat(n)}]`,
  backslashes: (n) => `[1e999,"${"\\\\".repeat(n)}","${'\\"'.repeat(n)}"]`,
};

function range(n: number, item: (i: number) => string): string {
  return Array.from({ length: n }, (_none, i) => item(i)).join(",");
}

/** Where an agent's line can have any value. */
const lines: Record<string, (value: string) => string[]> = {
  claude: (value) => [
    `{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Any","input":${value}}]}}`,
    `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":${value}}]},"tool_use_result":${value}}`,
  ],
  codex: (value) => [
    `{"type":"item.completed","item":{"id":"1","type":"mcp_tool_call","server":"s","tool":"t","arguments":${value},"result":${value},"status":"completed"}}`,
  ],
  opencode: (value) => [
    `{"type":"tool_use","timestamp":1,"part":{"type":"tool","callID":"c","tool":"any","state":{"status":"completed","input":${value},"output":"x","metadata":${value}}}}`,
  ],
};

function linesOf(id: string, value: string): string[] {
  return [`{"type":"nobodys","value":${value}}`, `{"type":${value}}`, value, ...(lines[id]?.(value) ?? [])];
}

/** Everything that is done with a line, here and on its way to the page. */
function goThrough(agent: (typeof agents)[number], value: string): string[] {
  const translator = createFramedTranslator(agent, { runId: "run", cwd: "/repo" });
  const events: HarnessEvent[] = translator.start("2026-01-01T00:00:00.000Z");
  for (const line of linesOf(agent.id, value))
    for (const event of translator.line(line, "2026-01-01T00:00:00.000Z")) events.push(event);
  for (const event of translator.end({ exitCode: 0 }, "2026-01-01T00:00:01.000Z")) events.push(event);
  const texts = formatNames.map((name) => toNdjson([...formatEvents(name, events)]));
  for (const event of events) {
    texts.push([...jsonPieces(event)].join(""));
    texts.push(toJson(slimEvent(event).event));
  }
  return texts;
}

describe.each(agents)("$id", (agent) => {
  it.each(Object.keys(shapes))("takes %s", { timeout: 120_000 }, (name) => {
    const value = shapes[name]?.(5000) ?? "";
    for (const text of goThrough(agent, value))
      for (const line of text.split("\n")) if (line !== "") expect(() => JSON.parse(line)).not.toThrow();
    expect(Reflect.get({}, "constructor")).toBe(Object);
  });
});

describe("work grows as the line does", () => {
  it.each(Object.keys(shapes))("%s", { timeout: 300_000, retry: 2 }, (name) => {
    const make = shapes[name];
    const [agent] = agents.filter(({ id }) => id === "claude");
    if (make === undefined || agent === undefined) throw new Error("there is no such shape");
    const [small, large] = [4000, 16_000].map((n) => {
      const value = make(n);
      return Math.min(...Array.from({ length: 3 }, () => processorTime(() => goThrough(agent, value))));
    });
    // Four times as much; sixteen would be its square. Very short times tell nothing.
    expect(large ?? 0).toBeLessThan(Math.max(12 * (small ?? 0), 400));
  });
});

/** Milliseconds of a core. Other programs on the machine do not count. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe("in pieces", () => {
  it("a value is the same text, whatever is long in it", () => {
    const long = "é\u{1f600}\n".repeat(longFrom);
    const values = [
      long,
      [long, 1, [], {}, null, [long]],
      { a: 1, b: { c: [undefined, long], d: undefined }, "\u2028": long, __proto__: null },
      { many: Object.fromEntries(Array.from({ length: 3000 }, (_none, i) => [`k${i}`, i])), long },
      parseExact(`{"n":12345678901234567890,"long":${JSON.stringify(long)},"__proto__":{"x":1e999}}`),
      parseExact(`{"deep":${"[".repeat(3000)}${"]".repeat(3000)},"long":${JSON.stringify(long)}}`),
    ];
    for (const value of values) {
      const pieces = [...jsonPieces(value)];
      expect(pieces.join("") === toJson(value)).toBe(true);
    }
    expect(Math.max(...[...jsonPieces(values[3])].map(({ length }) => length))).toBeLessThan(longFrom * 2);
  });
});
