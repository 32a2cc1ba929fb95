import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../src/runs/redact/redactor.js";
import { createTextMask } from "../../../src/runs/redact/text-mask.js";

const filler = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2";
const value = 'p"ä\\ss/w%rd 1';
const longValue = `${filler}-${filler}`.repeat(5);
const redactor = createRedactor({
  env: { MY_API_KEY: value, OTHER_TOKEN: longValue, DB_PASSWORD: "correct-horse" },
});

const keyHead = ["-----BEGIN EC", "PRIVATE KEY-----"].join(" ");
const keyFoot = ["-----END EC", "PRIVATE KEY-----"].join(" ");

const secrets = [
  value,
  longValue,
  JSON.stringify(JSON.stringify(value)),
  encodeURIComponent(value),
  Buffer.from(`x${longValue}`).toString("base64"),
  `sk-${"ant"}-api03-${filler}`,
  `sk-${filler}`,
  `gh${"p"}_${filler}`,
  `AK${"IA"}ABCDEFGHIJKLMNOP`,
  `ey${"J"}hbGciOiJIUzI1NiJ9.ey${"J"}zdWIiOiIxMjM0NTY3ODkwIn0.${filler}`,
  `password=${filler.slice(0, 12)}`,
  `"api_key": "${filler}"`,
  `--token ${filler}`,
  `Authorization: Basic ${filler}`,
  `Set-Cookie: session=${filler}; Path=/`,
  `postgres://me:${filler}@db/x`,
  `${keyHead}\n${filler}\n${filler}\n${keyFoot}`,
];

/** What nearly is a secret, and ends or goes on otherwise. */
const nearly = [
  "sk-",
  "password",
  "password: ",
  "Bearer ",
  "://",
  "eyJ",
  "-----BEGIN ",
  "gh",
  "%",
  "&",
  "\\",
  "\\u00",
  "correct-ho",
  "token=",
  "Cookie: a",
  "-----",
];
const words = ["this", " is ", "a\n", "text. ", "“", "😀", ")", "=", " "];

const textArbitrary = fc
  .array(fc.constantFrom(...secrets, ...nearly, ...words, ...words), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(""));
const lengthsArbitrary = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 40 });

function split(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 0;
    const end = Math.min(text.length, at + (index > 2000 ? 1 + length : length));
    pieces.push(text.slice(at, end));
    at = end;
    if (lengths.every((one) => one === 0)) return [...pieces, text.slice(at)];
  }
  return pieces;
}

describe("a text in pieces", () => {
  it("becomes what the whole text becomes, however it is cut into pieces", () => {
    fc.assert(
      fc.property(textArbitrary, lengthsArbitrary, (text, lengths) => {
        const mask = createTextMask(redactor.scanner);
        const pieces = split(text, lengths).map((piece) => mask.push(piece));
        mask.end();
        expect(pieces.every(({ isDone }) => isDone)).toBe(true);
        expect(pieces.map(({ masked }) => masked).join("")).toBe(redactor.text(text));
      }),
      { numRuns: 200 },
    );
  });

  it("shows no part of a secret, even when all of it must go at any moment", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...secrets),
        lengthsArbitrary,
        fc.array(fc.boolean(), { minLength: 1 }),
        (secret, lengths, cuts) => {
          const mask = createTextMask(redactor.scanner);
          const pieces = split(`so: ${secret} end`, lengths).map((piece, index) => {
            const masked = mask.push(piece);
            if (cuts[index % cuts.length]) mask.cut();
            if (cuts[index % cuts.length]) expect(masked.isDone).toBe(true);
            return masked;
          });
          mask.end();
          const seen = pieces.map(({ masked }) => masked).join("");
          for (let at = 0; at + 15 < filler.length; at += 1)
            expect(seen).not.toContain(filler.slice(at, at + 16));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("waits for nothing when nothing can begin", () => {
    const mask = createTextMask(redactor.scanner);
    for (const piece of ["Hello, ", "world. ", "1 + 1 ", "= 2\n"]) {
      const { masked, isDone } = mask.push(piece);
      expect({ masked, isDone }).toEqual({ masked: piece, isDone: true });
    }
  });

  it("waits for no more of a secret that has shown what it is", () => {
    const mask = createTextMask(redactor.scanner);
    const first = mask.push(`sk-${"ant"}-api03-${filler}`);
    expect(first).toEqual({ masked: "[redacted anthropic-key]", isDone: true });
    for (let count = 0; count < 3; count += 1)
      expect(mask.push(filler)).toEqual({ masked: "", isDone: true });
    expect(mask.push("x, and more.")).toEqual({ masked: ", and more.", isDone: true });
  });

  it("gives up on a value that is too long to wait for, without showing it", () => {
    const huge = Array.from({ length: 5000 }, (_, index) => `part${index}`).join("-");
    const mask = createTextMask(createRedactor({ env: { HUGE_KEY: huge } }).scanner);
    const pieces = [
      `so: ${huge.slice(0, 20_000)}`,
      huge.slice(20_000, 30_000),
      `${huge.slice(30_000)} end.`,
    ].map((piece) => mask.push(piece));
    mask.end();
    expect(pieces.map(({ masked }) => masked).join("")).toBe("so: [redacted secret] end.");
  });
});
