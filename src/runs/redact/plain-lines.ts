import { toRedactionMark } from "./mark.js";
import type { Redactor } from "./redactor.js";

const keyBegins = /-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----/;
const keyEnds = /-----END [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----/;
/** Base64, perhaps behind a line number, or a header such as `Proc-Type: 4,ENCRYPTED`. */
const keyLine = /^[\s\d|>+→:-]*(?:[A-Za-z0-9+/=]{1,100}|[A-Za-z-]{1,40}: .{0,200})\s*$/;

/** Longer lines are not part of a key. */
const longestKeyLine = 400;

/** Masks the lines of one stream that are not JSON, in order. A key that spans many lines is masked in all of them. */
export function createPlainLines(redactor: Redactor): (line: string, isCut: boolean) => string {
  let isInKey = false;
  return (line, isCut) => {
    // An empty line is harmless, and may separate the headers of a key from the key.
    if (isInKey && line.trim() === "") return line;
    if (isInKey && (keyEnds.test(line) || (line.length <= longestKeyLine && keyLine.test(line)))) {
      isInKey = !keyEnds.test(line);
      return toRedactionMark("private-key");
    }
    const begins = keyBegins.exec(line);
    isInKey = begins !== null && !keyEnds.test(line.slice(begins.index));
    return isCut ? redactor.cutText(line) : redactor.text(line);
  };
}
