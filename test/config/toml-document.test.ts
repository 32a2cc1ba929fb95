import { describe, expect, it } from "vitest";
import { DocumentSyntaxError, parseToml } from "../../src/config/toml-document.js";

describe("a TOML document", () => {
  it.each([
    "__proto__.hacked = 1",
    "[__proto__]\nhacked = 1",
    '[a."__proto__"]\nhacked = 1',
    '["\\u005f_proto__"]\nhacked = 1',
    "[[__proto__]]\nhacked = 1",
    "a = { __proto__ = { hacked = 1 } }",
    "a = [{ b.__proto__ = { hacked = 1 } }]",
  ])("cannot change every object of the process: %j", (text) => {
    expect(() => parseToml(text)).toThrow(DocumentSyntaxError);
    expect({}).not.toHaveProperty("hacked");
  });

  it("may have any other key", () => {
    expect(parseToml('[constructor.prototype]\n"a b" = 1').values).toEqual({
      constructor: { prototype: { "a b": 1 } },
    });
    expect({}).not.toHaveProperty("a b");
  });
});
