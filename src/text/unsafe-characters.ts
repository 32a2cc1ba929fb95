/*
 * Which characters are unsafe in text that people read. Everything made for people goes by this list: `cleanText` removes or
 * names them, `spellSafely` writes them as escapes of JSON. Each constant is the inside of a character class.
 */

/** Control characters that terminals obey, except line breaks and the tab. */
const controls = "\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f";

/** Line breaks other than the line feed. Some terminals and programs know them, others do not. */
const lineBreaks = "\\u000b-\\r\\u0085\\u2028\\u2029";

/**
 * Characters without width: terminals draw them as nothing, or disagree about them. They are all that Unicode lets a program
 * ignore, except the joiners below.
 */
const zeroWidth =
  "\\u00ad\\u034f\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\ufff0-\\ufffb";
const rareZeroWidth = "\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0080}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}";

/** Marks and overrides of direction (bidi), and letters that are blank. */
const deceptive = "\\u061c\\u115f\\u1160\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\u3164\\uffa0";
/** Tag characters, which can hide a whole message. */
const tags = "\\u{e0000}-\\u{e007f}";

/**
 * Joiners and variation selectors. They belong to emoji and to scripts such as Persian or Japanese, so they are unsafe only
 * where they do nothing for the characters beside them.
 */
const commonJoiners = "\\u200c\\u200d\\ufe00-\\ufe0f";
export const joinerClass = `[${commonJoiners}\\u{e0100}-\\u{e01ef}]`;

/** A blank that is not white space to a program. */
const brailleBlank = "\\u2800";

/** Matches text that may hold anything unsafe. Fast, with some false positives: other astral characters match too. */
export const suspicious = new RegExp(
  `[${controls}${lineBreaks}${zeroWidth}${deceptive}${commonJoiners}${brailleBlank}\\ud800-\\udfff]`,
);

export const everyLineBreak = new RegExp(`\\r\\n|[${lineBreaks}]`, "g");
export const everyControl = new RegExp(`[${controls}\\u000b-\\r]`, "g");
export const everyUnseen = new RegExp(`[${controls}${zeroWidth}${rareZeroWidth}]`, "gu");
export const everyDeceptive = new RegExp(`[${deceptive}${tags}]`, "gu");
export const everyLoneSurrogate = /[\ud800-\udfff]/gu;
export const everyBrailleBlank = new RegExp(`[${brailleBlank}]`, "g");

/**
 * The same for JSON text. `JSON.stringify` has escaped the control characters of ASCII, and joiners stay: an escape in every
 * second emoji would help nobody. `hint` is fast: it looks for the high surrogates of the rare ones.
 */
const unsafeBeyondAscii = `\\u007f-\\u009f\\u2028\\u2029${zeroWidth}${deceptive}`;
export const unsafeInJson = {
  hint: new RegExp(`[${unsafeBeyondAscii}\\ud82f\\ud834\\udb40-\\udb43]`),
  every: new RegExp(`[${unsafeBeyondAscii}${rareZeroWidth}${tags}]`, "gu"),
};
