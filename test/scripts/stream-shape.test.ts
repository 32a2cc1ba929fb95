import { describe, expect, it } from "vitest";
import { compareShapes, shapeOf } from "../../scripts/agents/stream-shape.mjs";

const lines = (...records: unknown[]) => records.map((record) => JSON.stringify(record));

describe("the shape of a stream", () => {
  it("has every field once, under the kind of its record", () => {
    const shape = shapeOf(
      lines({ type: "text", part: { id: "1", text: "a" } }, { type: "text", part: { id: "2", text: "b" } }),
    );
    expect(shape).toEqual(["text part", "text part.id", "text part.text"]);
  });

  it("tells blocks of different types apart, and does not depend on values", () => {
    const shape = shapeOf(
      lines({
        type: "message",
        subtype: "full",
        content: [
          { type: "text", text: "x" },
          { type: "tool", id: 4 },
        ],
      }),
    );
    expect(shape).toEqual([
      "message/full content",
      "message/full content[].id",
      "message/full content[].text",
      "message/full content[].type=text",
      "message/full content[].type=tool",
    ]);
  });

  it("takes the role of a message for its kind, if it has no other", () => {
    expect(shapeOf(lines({ role: "tool", content: "x" }, { role: "meta", type: "hint", id: "1" }))).toEqual([
      "hint id",
      "hint role",
      "tool content",
      "tool role",
    ]);
  });

  it("does not look into what a tool was given", () => {
    expect(shapeOf(lines({ type: "call", input: { anything: { at: "all" } } }))).toEqual(["call input"]);
  });

  it("keeps what is not JSON, or no record, in view", () => {
    expect(shapeOf(["warning: disk full", "[1,2]", "null"])).toEqual(["(not JSON)"]);
  });
});

it("what changed: kinds, then fields of the kinds that stayed", () => {
  const before = shapeOf(lines({ type: "old", a: 1 }, { type: "text", text: "", gone: 1 }));
  const after = shapeOf(lines({ type: "new", b: 1, c: 2 }, { type: "text", text: "", added: { deep: 1 } }));
  expect(compareShapes(before, after)).toEqual({
    newKinds: ["new"],
    newFields: ["text added"],
    goneKinds: ["old"],
    goneFields: ["text gone"],
  });
  expect(compareShapes(after, after)).toEqual({ newKinds: [], newFields: [], goneKinds: [], goneFields: [] });
});
