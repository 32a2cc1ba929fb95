import { createJoinerKeeper, keepMeantJoiners } from "./joiners.js";

/**
 * What an agent printed, made safe to show: no terminal escapes, no control characters but line feed
 * and tab, nothing that hides or turns around what is shown.
 */
export function cleanText(text: string): string {
  return suspicious.test(text) ? keepMeantJoiners(withoutControls(text)) : text;
}

/** Everything that can be said of a character without looking at its neighbours. */
function withoutControls(text: string): string {
  return text
    .replace(escapeSequences, "")
    .replace(lineBreaks, "\n")
    .replace(unseen, "")
    .replace(loneSurrogates, "\ufffd")
    .replaceAll("\u2800", " ")
    .replace(deceptive, nameOf);
}

/** The same for text that comes in pieces, which may end in the middle of an escape or a character. */
export interface TextCleaner {
  push(piece: string): string;
  /** What was held back, when nothing follows. */
  end(): string;
}

export function createTextCleaner(): TextCleaner {
  let held = "";
  const joiners = createJoinerKeeper();
  return {
    push(piece) {
      const text = held + piece;
      if (!joiners.isWaiting && !suspicious.test(text)) {
        held = "";
        joiners.skip(text);
        return text;
      }
      const at = text.search(unfinished);
      held = at === -1 ? "" : text.slice(at);
      return joiners.push(withoutControls(at === -1 ? text : text.slice(0, at)), false);
    },
    end() {
      const text = joiners.push(withoutControls(held), true);
      held = "";
      return text;
    },
  };
}

/** As long as a window title or a link may be. What claims to be longer is shown, not swallowed. */
const stringBody = "[^\\u0007\\u001b\\u0090\\u0098\\u009c-\\u009f\\n]{0,2048}";
const stringStart = "(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])";
const csiStart = "(?:\\u001b\\[|\\u009b)";

const escapeSequences = new RegExp(
  [
    `${csiStart}[0-?]*[ -/]*[@-~]`,
    `${stringStart}${stringBody}(?:\\u0007|\\u001b\\\\|\\u009c)`,
    "\\u001b[ -/]*[0-~]",
  ].join("|"),
  "g",
);

/** The beginning of something that the next piece may complete. */
const unfinished = new RegExp(
  `(?:${csiStart}[0-?]{0,64}[ -/]{0,64}|${stringStart}${stringBody}\\u001b?|\\u001b[ -/]{0,64}|\\r|[\\ud800-\\udbff])$`,
);

const lineBreaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/**
 * Controls, and characters that terminals draw as nothing or, worse, do not agree about: all that Unicode lets a program
 * ignore, but for joiners and selectors of a variant, which are looked at with their neighbours.
 */
const unseen =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant by itself
  /[\u034f\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0080}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu;
const loneSurrogates = /[\ud800-\udfff]/gu;

/** Marks and overrides of direction, letters that are blank, and tag characters, which can hide a whole message. */
const deceptive =
  /[\u061c\u115f\u1160\u200e\u200f\u202a-\u202e\u2066-\u2069\u3164\uffa0\u{e0000}-\u{e007f}]/gu;

const suspicious =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant by itself
  /[\u034f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]/;

function nameOf(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** As much of a text as one row may need to be made from. */
const maxExamined = 8192;

/** Any text as one row: line breaks are shown as such, other white space is one space. */
export function cleanLine(text: string): string {
  return cleanText(text.slice(0, maxExamined))
    .trim()
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[\n ]*/g, " ↵ ");
}
