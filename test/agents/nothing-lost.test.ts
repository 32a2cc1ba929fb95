import { describe, expect, it } from "vitest";
import { antigravity } from "../../src/agents/antigravity/definition.js";
import { bob } from "../../src/agents/bob/definition.js";
import { cursor } from "../../src/agents/cursor/definition.js";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import { gemini } from "../../src/agents/gemini/definition.js";
import { pi } from "../../src/agents/pi/definition.js";
import type { HarnessEvent } from "../../src/events/event.js";
import { isObject } from "../../src/text/fields.js";
import type { JsonObject, JsonValue } from "../../src/text/json.js";
import { parseJson } from "../../src/text/parse-json.js";
import { captureNames, readCapture } from "../support/captures.js";

const agents: AgentDefinition[] = [pi, gemini, antigravity, bob, cursor];

describe.each(agents)("$id: nothing is lost", (agent) => {
  const captures = captureNames(agent.id).map((scenario) => readCapture(agent.id, scenario));
  const kinds = kindsOf(captures.flatMap(({ stdout }) => stdout));
  const beginnings = [[], kinds.slice(0, 1)].map((lines) => lines.map((record) => JSON.stringify(record)));

  it("whichever record comes first, and whichever of its fields is missing", () => {
    expect(kinds.length).toBeGreaterThan(3);
    for (const before of beginnings) {
      for (const record of kinds.flatMap(damaged)) {
        const line = JSON.stringify(record);
        const { events, rule } = lastOf(agent, [...before, line]);
        const isKept = rule !== undefined || events.some((event) => speaksOf(record, event));
        expect(isKept, `after ${before.length} lines: ${line.slice(0, 300)}`).toBe(true);
      }
    }
  });

  it("wherever the stream ends: what was said in pieces is a message", () => {
    for (const { stdout, cwd } of captures.filter(({ stdout: { length } }) => length < 200)) {
      const translator = createFramedTranslator(agent, { cwd });
      const events = translator.start();
      for (const [index, line] of stdout.entries()) {
        const said = translator.line(line);
        events.push(...said);
        if (!said.some(({ type }) => type === "text")) continue;
        const ending = endOf(agent, stdout.slice(0, index + 1), cwd);
        expect(piecesWithoutMessage(ending), line.slice(0, 300)).toEqual([]);
        expect(ending.find(({ type }) => type === "result")).toHaveProperty("text");
      }
    }
  });
});

/** One record of each kind, as far as its words and the names of its fields tell. */
function kindsOf(lines: readonly string[]): JsonObject[] {
  const kinds = new Map<string, JsonObject>();
  for (const line of lines.filter(({ length }) => length < 10_000)) {
    const record = parseJson(line);
    if (!isObject(record)) continue;
    const kind = JSON.stringify([shapeOf(record), record["type"], record["event"]]);
    if (!kinds.has(kind)) kinds.set(kind, record);
  }
  return [...kinds.values()];
}

function shapeOf(value: JsonValue, depth = 0): JsonValue {
  if (!isObject(value) || depth > 1) return typeof value;
  return Object.entries(value).map(([key, inner]) => [key, shapeOf(inner, depth + 1)]);
}

/** The record, and the record without each of its fields, down to the second level. */
function damaged(record: JsonObject): JsonObject[] {
  return [
    record,
    ...Object.keys(record).map((key) => without(record, key)),
    ...Object.entries(record).flatMap(([key, inner]) =>
      isObject(inner) ? Object.keys(inner).map((name) => ({ ...record, [key]: without(inner, name) })) : [],
    ),
  ];
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** A session may be announced with any record, so it tells nothing about the record unless the record names the session. */
function speaksOf(record: JsonObject, event: HarnessEvent): boolean {
  if (event.type !== "session") return true;
  return /"(?:session|init|system|message_start|message_end)"/.test(JSON.stringify(record).slice(0, 200));
}

/** What the last of the lines gave. */
function lastOf(agent: AgentDefinition, lines: readonly string[]) {
  const translator = createFramedTranslator(agent, { cwd: "/repo" });
  translator.start();
  const events = lines.map((line) => translator.line(line)).at(-1) ?? [];
  return { events, rule: translator.lastRule };
}

function endOf(agent: AgentDefinition, lines: readonly string[], cwd: string): HarnessEvent[] {
  const translator = createFramedTranslator(agent, { cwd });
  return [
    ...lines.flatMap((line) => translator.line(line)),
    ...translator.end({ exitCode: null, signal: "SIGKILL" }),
  ];
}

function piecesWithoutMessage(events: readonly HarnessEvent[]): string[] {
  const whole = new Set(events.map((event) => (event.type === "agent" ? event.messageId : undefined)));
  return events.flatMap((event) => (event.type === "text" && !whole.has(event.messageId) ? event.delta : []));
}
