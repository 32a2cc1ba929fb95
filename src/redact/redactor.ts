import { secretVariables } from "./secret-variables.js";
import { type Shape, shapes } from "./shapes.js";
import { spellingsOf } from "./spellings.js";

/** Masks secrets. What is masked already stays as it is. */
export interface Redactor {
  /** A text of its own. */
  text(text: string): string;
  /** For the lines of one stream, in order: a key that goes over many lines is masked in all of them. */
  createLines(): (line: string) => string;
}

export interface RedactorOptions {
  /** The values of variables whose names look like secrets are masked too. */
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Masks known shapes of keys and the values of secret variables, each as `[redacted KIND]`, which leaves JSON
 * what it was. A secret that comes in parts, over several lines or events, is not recognised.
 */
export function createRedactor({ env }: RedactorOptions): Redactor {
  const masks = [...variableMasks(env), ...shapes.map(shapeMask)];
  const text = (text: string): string => masks.reduce((masked, mask) => mask(masked), text);
  return { text, createLines: () => createLineMask(text) };
}

type Mask = (text: string) => string;

function toMark(kind: string): string {
  return `[redacted ${kind}]`;
}

/** The longest first: one value may be a part of another. */
function variableMasks(env: RedactorOptions["env"]): Mask[] {
  return secretVariables(env)
    .flatMap(({ name, value }) => spellingsOf(value).map((spelling) => ({ name, spelling })))
    .sort((a, b) => b.spelling.length - a.spelling.length)
    .map(
      ({ name, spelling }) =>
        (text) =>
          text.includes(spelling) ? text.replaceAll(spelling, () => toMark(name)) : text,
    );
}

function shapeMask({ kind, hint, pattern }: Shape): Mask {
  const mark = toMark(kind);
  return (text) => {
    if (!text.includes(hint)) return text;
    return text.replace(pattern, (...match) => {
      const groups: unknown = match.at(-1);
      return `${keptOf(groups)}${mark}`;
    });
  };
}

function keptOf(groups: unknown): string {
  if (typeof groups !== "object" || groups === null || !("kept" in groups)) return "";
  return typeof groups.kept === "string" ? groups.kept : "";
}

const keyBegins = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const keyEnds = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** Base64, perhaps behind a line number, or a header such as `Proc-Type: 4,ENCRYPTED`. */
const keyLine = /^[\s\d|>+→:-]*(?:[A-Za-z0-9+/=]{1,100}|[A-Za-z-]{1,40}: .{0,200})\s*$/;
const keyMark = toMark("private-key");

function createLineMask(mask: Mask): Mask {
  let isInKey = false;
  return (line) => {
    // An empty line has nothing to hide, and may stand between the headers of a key and the key.
    if (isInKey && line.trim() === "") return line;
    if (isInKey && (keyLine.test(line) || keyEnds.test(line))) {
      isInKey = !keyEnds.test(line);
      return keyMark;
    }
    const begins = keyBegins.exec(line);
    isInKey = begins !== null && !keyEnds.test(line.slice(begins.index));
    return mask(line);
  };
}
