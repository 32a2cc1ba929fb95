import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText, createTextCleaner } from "../../src/text/clean-text.js";
import { cleanLine } from "../../src/text/cut.js";
import { hostile, unsafe } from "../outputs/text/hostile.js";

describe("a text that is made to keep us busy", () => {
  const many = 1_000_000;
  it.each([
    ["beginnings of sequences", "\u009d".repeat(many)],
    ["beginnings of sequences, spelled out", "\u001b]".repeat(many / 2)],
    ["joiners", `${"\u200d".repeat(many)}a`],
    ["blanks", `a${" ".repeat(many)}b`],
  ])("takes no longer than others: %s", (_name, text) => {
    expect(cleanText(text).length).toBeLessThanOrEqual(text.length * 8);
    const cleaner = createTextCleaner();
    expect(cleaner.push(text) + cleaner.end()).not.toMatch(unsafe);
    for (let time = 0; time < 1000; time++) cleanLine(text);
  });
});

describe("text of an agent, cleaned", () => {
  it.each([
    ["a colour", "\u001b[31mred\u001b[0m", "red"],
    ["cleared screens and moved cursors", "a\u001b[2J\u001b[1;1Hb", "ab"],
    ["a link", "\u001b]8;;http://evil.example\u001b\\text\u001b]8;;\u001b\\", "text"],
    ["a window title", "\u001b]0;title\u0007text", "text"],
    ["a device string", "\u001bPq#0;2\u001b\\text", "text"],
    ["C1 controls", "\u009b31mtext\u009d0;title\u009c\u0084", "text"],
    ["a carriage return", "10%\r20%", "10%\n20%"],
    ["CRLF", "a\r\nb", "a\nb"],
    ["separators of lines that are no line feeds", "a\u2028b\u0085c\u000bd", "a\nb\nc\nd"],
    ["backspaces and bells", "rm -rf /\b\b\b\u0007ls", "rm -rf /ls"],
    ["direction overrides", "\u202egpj.exe\u202c", "[U+202E]gpj.exe[U+202C]"],
    ["isolates and marks", "\u2066a\u2069\u200f", "[U+2066]a[U+2069][U+200F]"],
    ["hidden tag characters", "a\u{e0041}", "a[U+E0041]"],
    ["half a surrogate pair", "a\ud83d", "a\ufffd"],
    ["characters that are not seen", "pass\u200bword\u00ad\ufeff", "password"],
    ["a character of their kind that is none yet", "a\u2060\u2065b", "ab"],
    ["an escape that never ends", "\u001b]0;the rest is not swallowed", "0;the rest is not swallowed"],
    ["emoji, joined and with a variant", "👩‍👩‍👧‍👦 ✔️", "👩‍👩‍👧‍👦 ✔️"],
    ["a copy into the clipboard", "a\u001b]52;c;cm0gLXJmIH4=\u0007b", "ab"],
    ["letters that are blank", "a\u3164\u115f\u1160\uffa0b", "a[U+3164][U+115F][U+1160][U+FFA0]b"],
    ["a blank of Braille", "⠋\u2800⠙", "⠋ ⠙"],
    ["a joiner of graphemes", "a\u034fb", "ab"],
    ["joiners between Latin letters", "pass\u200dwo\u200crd", "password"],
    ["a message in selectors of variants", `😀${"\ufe01\ufe0e\u{e0121}\u{e0141}".repeat(9)}!`, "😀!"],
    ["joiners without end", `👩${"\u200d".repeat(50)}👧`, "👩\u200d👧"],
    ["deprecated controls of format", "a\u206a\u206fb\u{1d173}c", "abc"],
    ["scripts that need joiners", "می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"],
    [
      "keycaps, variants of ideographs and hearts",
      "1\ufe0f\u20e3 葛\u{e0100} 👩\u200d❤\ufe0f\u200d👨",
      "1\ufe0f\u20e3 葛\u{e0100} 👩\u200d❤\ufe0f\u200d👨",
    ],
    ["tabs and line feeds", "a\tb\nc", "a\tb\nc"],
  ])("has nothing left of %s", (_name, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it("never has anything unsafe in it", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(cleanText(text)).not.toMatch(unsafe);
      }),
      { numRuns: 2000 },
    );
  });

  it("is the same when it comes in pieces", () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.nat(40), { maxLength: 6 }), (text, cuts) => {
        const cleaner = createTextCleaner();
        const edges = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const pieces = edges.slice(1).map((edge, index) => text.slice(edges[index], edge));
        expect(pieces.map((piece) => cleaner.push(piece)).join("") + cleaner.end()).toBe(cleanText(text));
      }),
      { numRuns: 2000 },
    );
  });

  it("as a row has no line breaks, and one space for many", () => {
    expect(cleanLine("  git commit -m 'a\n\n  b'\t &&  true ")).toBe("git commit -m 'a ↵ b' && true");
  });

  it("as a row is looked at only as far as a row can need it", () => {
    expect(cleanLine("x".repeat(10_000_000)).length).toBe(8192);
  });
});
