import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createOutputCheck, refuseBadSchema } from "../../src/runs/recording/output-check.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { replayOptionsOf, replayRecording } from "../../src/runs/recording/replay.js";
import type { JsonObject } from "../../src/text/json.js";
import { finish, ofType, testAgent } from "./test-agent.js";

const word: JsonObject = {
  type: "object",
  properties: { word: { type: "string" } },
  required: ["word"],
  additionalProperties: false,
};

const check = (schema: JsonObject, text: string) => createOutputCheck(schema)({ text, value: undefined });

describe("the value of an answer", () => {
  it.each([
    ['{"word":"fine"}'],
    ['\n  {"word":"fine"}\n'],
    ['```json\n{"word":"fine"}\n```'],
    ['```\r\n{"word":"fine"}\r\n```\r\n'],
  ])("is read from %j", (text) => {
    expect(check(word, text)).toEqual({ output: { word: "fine" } });
  });

  it.each([
    ["", "there is no answer"],
    ["  \n", "there is no answer"],
    ["fine", "it is not JSON"],
    ['Here it is: {"word":"fine"}', "it is not JSON"],
    ['{"word":"fine"', "it is not JSON"],
    ['```json\n{"word":"fine"}\n```\n```json\n{}\n```', "it is not JSON"],
  ])("is not guessed from %j", (text, problem) => {
    expect(check(word, text)).toEqual({ problem });
  });

  it("is the one that the agent reports, if there is one", () => {
    const answer = { text: "Done.", value: { word: "reported" } };
    expect(createOutputCheck(word)(answer)).toEqual({ output: { word: "reported" } });
  });

  it("does not fit for the reason that lies deepest", () => {
    expect(check(word, '{"word":1}')).toEqual({
      problem: expect.stringMatching(/^#\/word: .*"number" is invalid/),
    });
    expect(check(word, '{"word":"a","more":1}')).toEqual({ problem: expect.stringContaining("#/more") });
  });

  it.each([
    ["false", { type: "boolean" }, false],
    ["null", { type: "null" }, null],
    ["0", { type: "integer" }, 0],
    ['""', { type: "string" }, ""],
    ["[]", { type: "array" }, []],
  ])("may be %s", (text, schema, output) => {
    expect(check(schema, text)).toEqual({ output });
  });
});

describe("schemas of every draft", () => {
  /** Only the draft that is named knows the keyword in this form. */
  const drafts: [draft: string, schema: JsonObject, fits: string, fitsNot: string][] = [
    [
      "http://json-schema.org/draft-04/schema#",
      { type: "number", maximum: 3, exclusiveMaximum: true },
      "2.9",
      "3",
    ],
    ["http://json-schema.org/draft-06/schema#", { type: "number", exclusiveMaximum: 3 }, "2.9", "3"],
    ["http://json-schema.org/draft-07/schema#", { type: "array", contains: { const: 3 } }, "[1,3]", "[1]"],
    [
      "https://json-schema.org/draft/2019-09/schema",
      { items: [{ type: "string" }], additionalItems: false },
      '["a"]',
      '["a",1]',
    ],
    [
      "https://json-schema.org/draft/2020-12/schema",
      { prefixItems: [{ type: "string" }], items: false },
      '["a"]',
      '["a",1]',
    ],
  ];

  it.each(drafts)("%s", ($schema, schema, fits, fitsNot) => {
    expect(check({ $schema, ...schema }, fits)).toHaveProperty("output");
    expect(check({ $schema, ...schema }, fitsNot)).toHaveProperty("problem");
  });

  it("have references within themselves", () => {
    const list = {
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
      $ref: "#/$defs/node",
    };
    expect(check(list, '{"next":{"next":{}}}')).toHaveProperty("output");
    expect(check(list, '{"next":{"next":1}}')).toHaveProperty("problem");
  });

  it("are left as they are", () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: { a: { type: "string" } },
    };
    const before = JSON.stringify(schema);
    check(schema, '{"a":"b"}');
    expect(JSON.stringify(schema)).toBe(before);
  });
});

describe("a schema that is not one", () => {
  it.each([
    [{ $ref: "#/$defs/nowhere" }],
    [{ type: "string", pattern: "(" }],
    [{ properties: { a: { pattern: "(" } } }],
    [{ patternProperties: { "(": {} } }],
    [{ properties: { a: { $ref: "https://example.com/schema.json" } } }],
    [{ items: { anyOf: [{ $ref: "#/$defs/nowhere" }] } }],
    [{ properties: { a: { type: "text" } } }],
    [{ type: ["string", "text"] }],
  ])("is refused: %j", (schema) => {
    expect(() => refuseBadSchema(schema)).toThrow(
      expect.objectContaining({
        code: "invalid_option",
        message: expect.stringContaining("schema is not a valid JSON Schema"),
      }),
    );
  });

  it.each([
    [{ properties: { $ref: { type: "string" }, pattern: { const: "(" }, type: { enum: ["text"] } } }],
    [{ enum: [{ $ref: "#/nowhere", pattern: "(", type: "text" }] }],
    [{ $id: "https://example.com/root", $defs: { a: { $id: "a", type: "string" } }, $ref: "a" }],
    [{ $anchor: "here", items: { $ref: "#here" }, type: "array" }],
  ])("is not what only looks so: %j", (schema) => {
    expect(() => refuseBadSchema(schema)).not.toThrow();
  });

  it("never throws while it checks", () => {
    for (const schema of [{ $ref: "#/nowhere" }, { type: 1 }, { pattern: "(" }] as JsonObject[])
      expect(() => check(schema, '"a"')).not.toThrow();
  });

  it("may be huge", () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `key${index}`);
    const schema = {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "integer" }])),
      required: names,
    };
    refuseBadSchema(schema);
    const fits = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
    expect(check(schema, fits)).toHaveProperty("output");
    const problem = check(schema, "{}");
    expect("problem" in problem && problem.problem.length).toBeLessThan(2_000);
  });

  it("may refer to itself without an end", () => {
    const endless: JsonObject = { $ref: "#" };
    let refusal: unknown;
    try {
      refuseBadSchema(endless);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: "invalid_option" });
    expect(check(endless, '"a"')).toHaveProperty("problem");
  });
});

describe("a hostile answer", () => {
  it.each([
    ["makes a pattern backtrack", { pattern: "^(a+)+$" }, JSON.stringify(`${"a".repeat(60)}!`)],
    [
      "has many items that must differ",
      { uniqueItems: true },
      JSON.stringify(Array.from({ length: 60_000 }, (_, index) => ({ index }))),
    ],
  ])("that %s is given up after some seconds", { timeout: 30_000 }, (_, schema, text) => {
    expect(check(schema, text)).toEqual({ problem: expect.stringMatching(/^checking it takes more than/) });
  });

  it("that is nested without an end does not fit, whatever the schema says", () => {
    const text = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    for (const schema of [{}, { items: { $ref: "#" } }])
      expect(check(schema, text)).toEqual({ problem: "it is nested too deeply" });
  });

  it("with countless mistakes is described in a few words", () => {
    const numbers = JSON.stringify(Array.from({ length: 150_000 }, () => 1));
    expect(check({ items: { type: "string" } }, numbers)).toEqual({
      problem: expect.stringMatching(/^#\/\d+: .{1,400}$/),
    });
    const long = check({ additionalProperties: false }, JSON.stringify({ ["k".repeat(100_000)]: 1 }));
    expect("problem" in long && long.problem.length).toBeLessThan(2_000);
  });
});

describe("a run with a schema", () => {
  const structured = {
    ...testAgent,
    capabilities: { ...testAgent.capabilities, schema: true },
    launch: () => ({ args: [], stdin: "" }),
  };
  const answering = (text: string) => ({
    ...structured,
    launch: () => ({ args: [JSON.stringify({ type: "done", text })] }),
  });

  it.each([
    ["fits", '{"word":"fine"}', { isSuccess: true, output: { word: "fine" } }],
    ["does not fit", '{"word":1}', { isSuccess: false, failure: { kind: "schema" } }],
    ["is not JSON", "fine", { isSuccess: false, failure: { kind: "schema" } }],
  ])("whose answer %s ends in the same way when it is replayed", async (_, text, expected) => {
    const agent = answering(text);
    const { result, events, sessions } = await finish("print-arguments", { agent, schema: word });
    expect(result).toMatchObject(expected);
    const paths = recordingPaths(sessions, result.runId);
    const meta = JSON.parse(readFileSync(paths.meta, "utf8"));
    expect(meta.schema).toEqual(word);
    const replayed = [];
    for await (const steps of replayRecording(agent, paths.raw, replayOptionsOf(meta)))
      for (const step of steps) replayed.push(...step.events);
    expect(ofType(replayed, "result")).toEqual(ofType(events, "result"));
    expect(ofType(replayed, "exited")).toEqual(ofType(events, "exited"));
  });

  it("is refused before it starts, if the schema is not one", async () => {
    await expect(
      finish("print-arguments", { agent: structured, schema: { $ref: "#/nowhere" } }),
    ).rejects.toThrow(/schema is not a valid JSON Schema/);
  });
});
