import { expect, it } from "vitest";
import { createRedactor } from "../../../src/runs/redact/redactor.js";
import { createTextMask } from "../../../src/runs/redact/text-mask.js";

const keyHead = ["-----BEGIN RSA", "PRIVATE KEY-----"].join(" ");
const redactor = createRedactor({
  env: { MY_TOKEN: "s3cr3t-val/ue with+stuff\\and", OTHER_KEY: `${"a".repeat(300)}1` },
});

/** What patterns begin with, or could go on with for ever. */
const hostile = [
  "a",
  "sk-",
  "sk-aaaa",
  "eyJ",
  "eyJa.",
  "://",
  "://a:",
  ":",
  "@",
  "\\",
  "%25",
  "&#",
  "Bearer ",
  "password",
  "password=a",
  "secret_access_key: ",
  "Cookie: a",
  "authorization: basic ",
  "AKIA",
  "pat1234567890",
  "-----",
  "-----END ",
  keyHead,
];

/** The longest that a known value is compared with at each place, and some. */
const mostStepsForEach = 1000;
const small = 4000;
const factor = 8;

/** How many characters are looked at or copied. Clocks say little on a machine that has other things to do. */
function stepsOf(text: string): number {
  let steps = 0;
  const { charCodeAt, charAt, slice, startsWith } = String.prototype;
  const count = <T>(length: number, value: T): T => {
    steps += length;
    return value;
  };
  Object.assign(String.prototype, {
    charCodeAt(this: string, at: number) {
      return count(1, charCodeAt.call(this, at));
    },
    charAt(this: string, at: number) {
      return count(1, charAt.call(this, at));
    },
    slice(this: string, from?: number, to?: number) {
      const part = slice.call(this, from, to);
      return count(part.length, part);
    },
    startsWith(this: string, wanted: string, at?: number) {
      return count(wanted.length, startsWith.call(this, wanted, at));
    },
  });
  try {
    redactor.text(text);
  } finally {
    Object.assign(String.prototype, { charCodeAt, charAt, slice, startsWith });
  }
  return steps;
}

// If a text were looked at again and again, 64 times the steps would be taken for 8 times the text.
it.each(hostile)("a text of %j takes work in proportion to its length", (piece) => {
  const repeat = (length: number): string => piece.repeat(Math.ceil(length / piece.length));
  const before = stepsOf(repeat(small));
  expect(before).toBeGreaterThan(small);
  expect(stepsOf(repeat(small * factor)) / before).toBeLessThan(factor * 1.5);
  expect(before / small).toBeLessThan(mostStepsForEach);
});

it("a key that never ends is let through piece by piece, with no more than its mark", () => {
  const mask = createTextMask(redactor.scanner);
  const pieces = [
    "so: sk-1",
    ...Array.from({ length: 20_000 }, () => "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
  ].map((piece) => mask.push(piece));
  expect(pieces.every(({ isDone }) => isDone)).toBe(true);
  expect(pieces.map(({ masked }) => masked).join("")).toBe("so: [redacted api-key]");
}, 60_000);
