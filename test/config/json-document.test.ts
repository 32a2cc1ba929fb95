import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonDocument } from "../../src/config/json-document.js";
import { DocumentSyntaxError } from "../../src/config/toml-document.js";

const text = `{
  "name": "x",
  "tasks": [
    { "id": "a" },
    {
      "id": "b\\u0041"
    }
  ]
}
`;

describe("a JSON document", () => {
  it("has the line of every key and element", () => {
    const { lineOf, values } = parseJsonDocument(text);
    expect(values).toEqual({ name: "x", tasks: [{ id: "a" }, { id: "bA" }] });
    expect([["name"], ["tasks"], ["tasks", "0"], ["tasks", "1"], ["tasks", "1", "id"]].map(lineOf)).toEqual([
      2, 3, 4, 5, 6,
    ]);
    expect(lineOf(["tasks", "1", "prompt"])).toBe(5);
    expect(lineOf(["nothing"])).toBe(1);
  });

  it.each([
    ['{\n  "a": 1,\n}', 3, 1, "expected a key"],
    ['{\n  "a": one\n}', 2, 8, "expected a value"],
    ['{\n  "a" 1\n}', 2, 7, 'expected ":"'],
    ['{\n  "a": [1 2]\n}', 2, 11, 'expected "," or "]"'],
    ['{\n  "a": [1', 2, 10, '"]" is missing'],
    ['{"a": 1}\nx', 2, 1, "the end of the file"],
    ['{"a": 1,\n"a": 2}', 2, 4, "is there twice"],
    ["", 1, 1, "ends too early"],
    ['{"a": "\\x"}', 1, 11, "must be escaped"],
    ['{"a": 01}', 1, 7, "expected a value"],
  ])("%j is wrong at line %d, column %d", (wrong, line, column, words) => {
    const error = errorOf(() => parseJsonDocument(wrong));
    expect(error).toBeInstanceOf(DocumentSyntaxError);
    expect(error).toMatchObject({ line, column, message: expect.stringContaining(words) });
  });

  it("reads what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, indent) => {
        const json = JSON.stringify(value, undefined, indent);
        expect(parseJsonDocument(json).values).toEqual(JSON.parse(json));
      }),
    );
  });

  it("takes any other text for wrong exactly if JSON.parse does", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b"',
      "1",
      "-",
      "0",
      ".5",
      "null",
      " ",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const json = pieces.join("");
        const isWrong = errorOf(() => JSON.parse(json)) !== undefined;
        const mine = errorOf(() => parseJsonDocument(json));
        if (mine?.message.includes("twice")) return;
        expect(mine !== undefined, json).toBe(isWrong);
      }),
    );
  });

  it("refuses what is nested too deeply, and does not overflow", () => {
    expect(() => parseJsonDocument("[".repeat(100_000))).toThrow(/nested more than/);
  });
});

function errorOf(action: () => unknown): Error | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
