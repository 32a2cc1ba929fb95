import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../src/runs/redact/redactor.js";

const value = "Tr0ub4dor&3/<horse> + 'battery'";
const { text } = createRedactor({ env: { MY_API_KEY: value } });

const html = (spelled: string): string =>
  spelled.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;" };
const inJson = (spelled: string): string => JSON.stringify(spelled).slice(1, -1);
const percent = (spelled: string): string =>
  Array.from(Buffer.from(spelled), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

const spellings: readonly [name: string, spelled: string][] = [
  ["as it is", value],
  ["in small letters", value.toLowerCase()],
  ["in capital letters", value.toUpperCase()],
  ["in JSON", inJson(`"${value}`)],
  ["in JSON within JSON", inJson(inJson(`"${value}"`))],
  ["in JSON of ASCII alone", value.replace(/[<>&']/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)],
  ["in an address", encodeURIComponent(value)],
  ["in a form", new URLSearchParams({ a: value }).toString()],
  ["in an address, all of it", percent(value)],
  ["in an address within an address", encodeURIComponent(encodeURIComponent(value))],
  ["in HTML", html(value)],
  ["in HTML with names", value.replace(/[&<>']/g, (character) => named[character] ?? "")],
  ["hexadecimal", Buffer.from(value).toString("hex")],
  ["hexadecimal in capitals", Buffer.from(value).toString("hex").toUpperCase()],
  ["base64", Buffer.from(value).toString("base64")],
  ["base64 for addresses", Buffer.from(value).toString("base64url")],
  ["base64 behind a name", Buffer.from(`me:${value}`).toString("base64")],
  ["base64 behind a longer name", Buffer.from(`you:${value}, it is`).toString("base64")],
];

describe("the value of a secret variable", () => {
  it.each(spellings)("is masked %s", (_, spelled) => {
    const masked = text(`see ${spelled} there`);
    expect(masked).toContain("[redacted MY_API_KEY]");
    // Digits of base64 that also stand for a neighbour stay.
    expect(masked.length).toBeLessThan("see [redacted MY_API_KEY] there".length + 20);
    expect(text(`glued${spelled}tight`)).toContain("[redacted MY_API_KEY]");
  });

  it("is masked in base64 with anything before and behind it", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 60, unit: "binary" }).map((secret) => `a1${secret.trim()}`),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          const redactor = createRedactor({ env: { A_SECRET: secret } });
          const masked = redactor.text(Buffer.from(before + secret + after).toString("base64"));
          expect(masked).toContain("[redacted A_SECRET]");
        },
      ),
    );
  });

  it("is masked line by line when it has several", () => {
    const lines = ["first-line-of-it-0123", "second-line-of-it-4567"];
    const redactor = createRedactor({ env: { THE_KEY: lines.join("\n") } });
    for (const line of lines) expect(redactor.text(`> ${line}`)).toBe("> [redacted THE_KEY]");
  });

  it("is masked when its end was cut off, unless little of it is left", () => {
    expect(text(`see ${value.slice(0, 20)}`)).toBe("see [redacted MY_API_KEY]");
    expect(text(`see ${value.slice(0, 5)}`)).toBe(`see ${value.slice(0, 5)}`);
  });
});
