import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTaggedProse, type ProsePart } from "../../src/agents/bob/tagged-prose.js";

/** The parts of a text that arrives in these pieces; neighbours of one kind are joined. */
function partsOf(pieces: readonly string[]): ProsePart[] {
  const prose = createTaggedProse();
  const joined: ProsePart[] = [];
  for (const part of [...pieces.flatMap((piece) => prose.take(piece)), ...prose.end()]) {
    const last = joined.at(-1);
    if (last?.kind === part.kind) last.text += part.text;
    else joined.push({ ...part });
  }
  return joined;
}

describe("Bob's tagged prose", () => {
  it("splits reasoning, echoes and answer", () => {
    expect(partsOf(["<thinking>Why?</thinking>Because.[using tool read_file: a.ts]Done."])).toEqual([
      { kind: "thinking", text: "Why?" },
      { kind: "text", text: "Because." },
      { kind: "echo", text: "read_file: a.ts" },
      { kind: "text", text: "Done." },
    ]);
  });

  it("returns to reasoning after an echo within it", () => {
    expect(partsOf(["<thinking>a[using tool x]b"]).map((part) => part.kind)).toEqual([
      "thinking",
      "echo",
      "thinking",
    ]);
  });

  it("returns as text what only looked like a tag", () => {
    expect(partsOf(["a <think of it>, [1]", " and <thin"])).toEqual([
      { kind: "text", text: "a <think of it>, [1] and <thin" },
    ]);
  });

  it("does not depend on where the text is cut", () => {
    const word = fc.constantFrom(
      "<thinking>",
      "</thinking>",
      "[using tool ",
      "]",
      "<",
      "[",
      "thinking>",
      "a",
      " ",
      "\n",
    );
    const text = fc.array(word).map((words) => words.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (whole, cuts) => {
        const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort(
          (a, b) => a - b,
        );
        const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
        expect(partsOf(pieces)).toEqual(partsOf([whole]));
      }),
    );
  });
});
