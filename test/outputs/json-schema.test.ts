import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createJsonSchema } from "../../src/outputs/json-schema.js";
import { type StreamName, streamSchemas } from "../../src/outputs/schemas.js";
import { arbitraryOf } from "./arbitrary.js";
import { isValid } from "./json-schema-check.js";

const names = Object.keys(streamSchemas) as StreamName[];

/** The field that tells the items of a stream apart; for a whole run, its outcome. */
const discriminators: { readonly [Name in StreamName]?: string } = {
  "run-events": "kind",
  raw: "stream",
  json: "outcome",
  atif: "schema_version",
  otlp: "resourceSpans",
  acp: "jsonrpc",
};

describe.each(names)("the JSON Schema of %s", (name) => {
  const schema: v.GenericSchema<unknown, Record<string, unknown>> = streamSchemas[name];
  const jsonSchema = createJsonSchema(name);

  it("says what it is", () => {
    expect(jsonSchema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(jsonSchema.title).toMatch(/^harness: /);
    expect(JSON.parse(JSON.stringify(jsonSchema))).toEqual(jsonSchema);
  });

  it("accepts what the schema accepts", () => {
    fc.assert(
      fc.property(arbitraryOf(schema), (item) => {
        expect(isValid(jsonSchema, item), JSON.stringify(item)).toBe(true);
      }),
    );
  });

  it("agrees with the schema about items that were spoilt", () => {
    fc.assert(
      fc.property(spoilt(arbitraryOf(schema)), (item) => {
        expect(isValid(jsonSchema, item), JSON.stringify(item)).toBe(v.safeParse(schema, item).success);
      }),
      { numRuns: 1000 },
    );
  });

  it("refuses a field it does not know and an item without its discriminator", () => {
    const discriminator = discriminators[name] ?? "type";
    fc.assert(
      fc.property(arbitraryOf(schema), (item) => {
        const { [discriminator]: _, ...rest } = item;
        expect(isValid(jsonSchema, rest)).toBe(false);
        expect(isValid(jsonSchema, { ...item, extra: 1 })).toBe(false);
      }),
    );
  });
});

/** An item with one field removed or replaced by anything; sometimes it is still valid. */
function spoilt(items: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const replacement = fc.option(
    fc.oneof(fc.constantFrom(null, -1, 0.5, 7, "", true, [], {}), fc.jsonValue()),
    { nil: undefined },
  );
  return fc.tuple(items, fc.nat(), replacement).map(([item, at, value]) => {
    const copy = { ...item };
    const keys = Object.keys(copy);
    const key = keys[at % keys.length] ?? "type";
    if (value === undefined) delete copy[key];
    else copy[key] = value;
    return copy;
  });
}
