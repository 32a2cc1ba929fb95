import { charSet } from "./char-set.js";
import type { Finding, Matcher, Rest } from "./matcher.js";

const begins = "-----BEGIN ";
const dashes = "-----";
const nameCharacters = charSet("A-Z0-9 ");
const longestName = 60;
const kind = "private-key";

/** Characters of PEM, its headers, line feeds in JSON, and the line numbers that tools put before each line (`2→MII…`, `+MII…`). */
const bodyCharacters = charSet("A-Za-z0-9+/=:,.|>\\s\\\\");
const arrow = "→".charCodeAt(0);

/** Finds a key from its first line to its last, or as far as the text can be a key. */
export const privateKeyMatcher: Matcher = {
  anchors: [begins],
  ignoresCase: false,
  match(text, start, isLast): Finding {
    const name = nameAt(text, start + begins.length);
    if (name === "cut") return isLast ? undefined : { isSure: false, from: start };
    if (name === undefined) return undefined;
    const { to, isOver } = body.follow(text, name, isLast);
    return { isSure: true, from: start, to, kind, ...(!isOver && { rest: body }) };
  },
};

/** Where the line with dashes and the name of the key ends. */
function nameAt(text: string, at: number): number | "cut" | undefined {
  let end = at;
  while (end < text.length && end - at <= longestName && nameCharacters.has(text.charCodeAt(end))) end += 1;
  const line = text.slice(end, end + dashes.length);
  if (end + line.length === text.length && dashes.startsWith(line) && line !== dashes) return "cut";
  const isKey = line === dashes && text.slice(at, end).includes("PRIVATE KEY");
  return isKey ? end + dashes.length : undefined;
}

const body: Rest = {
  follow(text, start, isLast) {
    let at = start;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (bodyCharacters.has(code) || code === arrow) at += 1;
      else if (text.charAt(at) !== "-") return { to: at, isOver: true };
      else {
        const ending = endingAt(text, at);
        if (ending === "cut" && !isLast) return { to: at, isOver: false };
        if (typeof ending === "number") return { to: ending, isOver: true };
        if (text.startsWith(dashes, at)) return { to: at, isOver: true };
        at += 1;
      }
    }
    return { to: at, isOver: isLast };
  },
};

function endingAt(text: string, at: number): number | "cut" | undefined {
  const ends = "-----END ";
  if (text.startsWith(ends, at)) return nameAt(text, at + ends.length);
  return text.length - at < ends.length && ends.startsWith(text.slice(at)) ? "cut" : undefined;
}
