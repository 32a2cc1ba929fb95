import fc from "fast-check";
import { expect, it } from "vitest";
import { createFrames } from "../../../src/server/v1/frames.js";

/** Reads an event stream as the HTML standard says. */
function read(text: string): { data: string[]; last: string } {
  const data: string[] = [];
  let current: string[] = [];
  let last = "";
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === "") {
      if (current.length > 0) data.push(current.join("\n"));
      current = [];
    } else if (name === "data") current.push(value);
    else if (name === "id") last = value;
    else throw new Error(`a field of its own: ${JSON.stringify(line)}`);
  }
  return { data, last };
}

const hostile = fc.array(
  fc.oneof(fc.constantFrom("\n", "\r", "\r\n", "id: 9", "data: x", "event: end", "\n\n", " "), fc.string()),
);

it("any text, cut anywhere, is one message for each line, and nothing in it is a field", () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1 }), (steps) => {
      const frames = createFrames();
      const framed = steps.map((pieces, id) => pieces.map(frames.push).join("") + frames.end(id)).join("");
      const { data, last } = read(framed);
      const wanted = steps.map((pieces) =>
        pieces
          .join("")
          .split(/[\r\n]/)
          .filter((line) => line !== ""),
      );
      expect(data).toEqual(wanted.flat());
      const lastWith = wanted.findLastIndex((lines) => lines.length > 0);
      expect(last).toBe(lastWith === -1 ? "" : String(lastWith));
    }),
  );
});
