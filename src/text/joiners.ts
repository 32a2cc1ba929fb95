import { joinerClass } from "./unsafe-characters.js";

const runs = new RegExp(`${joinerClass}+`, "gu");
const isJoiner = new RegExp(`^${joinerClass}$`, "u");

/** At most a selector and a joiner of a run can be meant: more of them can carry a hidden message. */
const meant = /^([\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])?([\u200c\u200d])?/u;
const longestMeant = 4;

const keycap = /[0-9#*]/;
const emoji = /\p{Emoji}/u;
const hasVariants = /\p{Ideographic}|\p{Sm}|\p{Script=Myanmar}/u;
const joins = /[\p{L}\p{M}\p{Emoji}\p{So}]/u;

/** The text without those joiners and variation selectors that do nothing for the characters beside them. */
export function keepMeantJoiners(text: string): string {
  return text.replace(runs, (run, offset: number) =>
    keep(run, characterBefore(text, offset), characterAt(text, offset + run.length)),
  );
}

function keep(run: string, before: string, after: string): string {
  const [, variant = "", joiner = ""] = meant.exec(run) ?? [];
  const keptVariant = isVariantOf(before, variant, after) ? variant : "";
  return keptVariant + (isJoinable(before) && isJoinable(after) ? joiner : "");
}

function isVariantOf(before: string, variant: string, after: string): boolean {
  if (variant !== "\ufe0e" && variant !== "\ufe0f") return hasVariants.test(before);
  return keycap.test(before) ? after === "\u20e3" : emoji.test(before);
}

function isJoinable(character: string): boolean {
  return character > "\u007f" && joins.test(character);
}

function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function characterBefore(text: string, index: number): string {
  const code = text.charCodeAt(index - 1);
  return characterAt(text, code >= 0xdc00 && code <= 0xdfff ? index - 2 : index - 1);
}

/** The same for text that comes in pieces. Joiners at the end of a piece wait for what follows. */
export interface JoinerKeeper {
  /** For a piece without joiners that is complete in itself: only its last character is noted. */
  skip(piece: string): void;
  push(piece: string, isEnd: boolean): string;
  readonly isWaiting: boolean;
}

export function createJoinerKeeper(): JoinerKeeper {
  let before = "";
  let waiting = "";
  return {
    get isWaiting() {
      return waiting !== "";
    },
    skip(piece) {
      if (piece !== "") before = characterBefore(piece, piece.length);
    },
    push(piece, isEnd) {
      const whole = before + waiting + piece;
      const run = isEnd ? "" : joinersAtEnd(whole);
      const body = whole.slice(0, whole.length - run.length);
      const kept = keepMeantJoiners(body).slice(before.length);
      before = characterBefore(body, body.length);
      waiting = [...run].slice(0, longestMeant).join("");
      return kept;
    },
  };
}

/** A loop from the end: a pattern would start again at each joiner, which takes quadratic time. */
function joinersAtEnd(text: string): string {
  let at = text.length;
  while (at > 0) {
    const character = characterBefore(text, at);
    if (!isJoiner.test(character)) break;
    at -= character.length;
  }
  return text.slice(at);
}
