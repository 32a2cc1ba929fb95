// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell variables
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyCommand } from "../../src/shell/classify-command.js";

const tokens = fc.constantFrom(
  ..."cat|sed -n|10,20p|head|tail|-n|+5|nl -ba|rg|grep|-rn|-e|find|-name|-exec|-o|fd|ls|tree|bash -lc|echo|true".split(
    "|",
  ),
  ..."a b.ts src/x 日本 😀 * ? [a] {a,b} {1..3} ~ $X ${Y} ${Y:-z} $(z) ` $(( )) $[ ! = a=b - -- if then fi do done".split(
    " ",
  ),
  ..."' \" \\ ; & && | || |& ( ) { } < > >> 2>&1 2>/dev/null <<EOF <<< <( # \r \0 \u00a0 \u2028".split(" "),
  " ",
  "\n",
  "\t",
  "\\\n",
  "EOF\n",
  "\ud800",
);
const soup = fc.array(tokens, { maxLength: 40 }).map((parts) => parts.join(" "));
const tightSoup = fc.array(tokens, { maxLength: 40 }).map((parts) => parts.join(""));
const anyLine = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  soup,
  tightSoup,
  soup.map((text) => `cat a; ${text}`),
);
const path = fc
  .string({ unit: "grapheme", minLength: 1 })
  .filter((text) => text !== "-" && !text.includes("\0") && !text.startsWith("/dev/"));
const quotings: readonly ((text: string) => string)[] = [
  (text) => `'${text.replaceAll("'", "'\\''")}'`,
  (text) => `'${text.replaceAll("'", "'\"'\"'")}'`,
  (text) => `"${text.replace(/[\\"$`]/g, "\\$&")}"`,
  (text) => text.replace(/[\s\S]/gu, (character) => (character === "\n" ? "'\n'" : `\\${character}`)),
];
const quoting = fc.constantFrom(...quotings);

describe("classifyCommand", () => {
  it("takes any text, and never makes an empty path of it", () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const { command, operations } = classifyCommand(line);
        expect(typeof command).toBe("string");
        for (const operation of operations) {
          expect(operation.path).not.toBe("");
          if ("path" in operation) expect(operation.path).toBeTypeOf("string");
          if (operation.type === "search") expect(operation.query).not.toBe("");
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("reads back a path, however it is quoted", () => {
    fc.assert(
      fc.property(path, quoting, (text, quote) => {
        expect(classifyCommand(`cat -- ${quote(text)}`).operations).toEqual([{ type: "read", path: text }]);
      }),
    );
  });

  it("reads back a query and a path", () => {
    fc.assert(
      fc.property(path, path, quoting, (query, where, quote) => {
        const [operation] = classifyCommand(`rg -n -e ${quote(query)} -- ${quote(where)} | head`).operations;
        expect(operation).toMatchObject({ type: "search", query, path: where });
      }),
    );
  });

  it("makes the same of a script in a shell as of the script", () => {
    fc.assert(
      fc.property(
        fc.oneof(soup, tightSoup),
        quoting,
        fc.constantFrom("-lc", "-c", "-l -c"),
        (script, quote, flags) => {
          fc.pre(script.trim() !== "" && !/^[-+]/.test(script));
          expect(classifyCommand(`/bin/bash ${flags} ${quote(script)}`)).toEqual(classifyCommand(script));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("stays quick with long and deep text", () => {
    const units = fc.array(tokens, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    const longLine = fc
      .tuple(units, fc.integer({ min: 1, max: 300 }), units)
      .map(([unit, depth, filler]) => `cat ${unit.repeat(depth)}${filler.repeat(20_000)}`.slice(0, 100_000));
    fc.assert(
      fc.property(
        fc.oneof(
          longLine,
          units.map((unit) => `cat ${unit.repeat(100_000)}`.slice(0, 100_000)),
        ),
        (line) => {
          const start = performance.now();
          classifyCommand(line);
          expect(performance.now() - start).toBeLessThan(5000);
        },
      ),
      { numRuns: 100 },
    );
  });
});
