import { createJoinerKeeper, keepMeantJoiners } from "./joiners.js";
import {
  everyBrailleBlank,
  everyControl,
  everyDeceptive,
  everyLineBreak,
  everyLoneSurrogate,
  everyUnseen,
  suspicious,
} from "./unsafe-characters.js";

/**
 * What an agent printed, made safe to show: no terminal escapes, no control characters except line feed
 * and tab, nothing that hides or turns around what is shown.
 */
export function cleanText(text: string): string {
  return suspicious.test(text) ? keepMeantJoiners(withoutUnsafe(text)) : text;
}

/** Handles everything that can be decided about a character without looking at its neighbours. */
function withoutUnsafe(text: string): string {
  return text
    .replace(everyEscape, "")
    .replace(everyLineBreak, "\n")
    .replace(everyUnseen, "")
    .replace(everyLoneSurrogate, "\ufffd")
    .replace(everyBrailleBlank, " ")
    .replace(everyDeceptive, nameOf);
}

/** `[U+202E]`. */
function nameOf(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
}

/**
 * Text without terminal escapes and control characters, and otherwise as it was. Agents print them on standard error, and an
 * event must not carry them on. The text of an event still has to be cleaned before it is shown: see `cleanText`.
 */
export function stripEscapes(text: string): string {
  return text.replace(everyEscape, "").replace(everyControl, "");
}

/** `cleanText` for text that comes in pieces. A piece may end in the middle of an escape or a character. */
export interface TextCleaner {
  push(piece: string): string;
  /** Returns what was held back. */
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
      return joiners.push(withoutUnsafe(at === -1 ? text : text.slice(0, at)), false);
    },
    end() {
      const text = joiners.push(withoutUnsafe(held), true);
      held = "";
      return text;
    },
  };
}

/** As long as a window title or a link may be. Longer sequences are shown, not removed. */
const stringBody = "[^\\u0007\\u001b\\u0090\\u0098\\u009c-\\u009f\\n]{0,2048}";
const stringStart = "(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])";
const csiStart = "(?:\\u001b\\[|\\u009b)";

/** Terminal escape sequences: CSI, strings such as OSC, and those of two characters. */
const everyEscape = new RegExp(
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

/** Text without half characters. They are valid in JSON text, but protobuf cannot carry them, and readers in Python and Rust refuse them. */
export function wellFormed(text: string): string {
  return text.replace(everyLoneSurrogate, "\ufffd");
}
