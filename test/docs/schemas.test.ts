import { expect, it } from "vitest";
import { createJsonSchema, streamSchemas } from "../../src/index.js";

it("the package gives a JSON Schema of every stream, as docs/output.md says", () => {
  for (const name of ["full", "events", "ndjson", "run-events", "json", "raw"] as const) {
    expect(streamSchemas[name]).toBeDefined();
    expect(createJsonSchema(name)).toMatchObject({ $schema: expect.stringContaining("2020-12") });
  }
  expect(createJsonSchema("json")).toMatchObject({
    type: "object",
    required: expect.arrayContaining(["outcome"]),
  });
});
