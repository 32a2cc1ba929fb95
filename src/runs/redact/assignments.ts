import { type CharSet, charSet, charSetWithout, endOfRun } from "./char-set.js";
import type { Finding, Matcher } from "./matcher.js";
import { contextLength, createRunRest } from "./pattern.js";
import { type Assigned, isSecretValue, longestValue } from "./secret-value.js";

/** Words that announce a secret. Passwords are listed apart, because they can be short. */
const passwordWords = ["password", "passwd", "passphrase", "passcode", "pwd"];
const otherWords = [
  "secret",
  "token",
  "credential",
  "api_key",
  "api-key",
  "apikey",
  "access_key",
  "access-key",
  "accesskey",
  "account_key",
  "accountkey",
  "private_key",
  "privatekey",
  "auth_key",
  "authkey",
  "encryption_key",
  "signing_key",
];

const nameCharacters = charSet("A-Za-z0-9_-");
const quotes = charSet("\\\\\"'`");
const blanks = charSet(" \\t");
const quotedCharacters = charSetWithout("\\s\"'`\\\\<>{}\\[\\]");
const plainCharacters = charSetWithout("\\s\"'`\\\\,;&<>(){}\\[\\]|$");

const longestName = 48;
const mostQuotes = 8;
const mostBlanks = 4;

/** What may follow such a word in the name of a secret: `secret_access_key`, `token1`. */
const secretTail = /^(?:[0-9]*|.*?(?:key|token|secret|password|passwd|pwd|value)[0-9]{0,3})$/i;

/**
 * Finds values that are assigned to the name of a secret: `password=…`, `"api_key": "…"`, `token: …`, `--password …`. The
 * value must not look like code or words.
 */
export function createAssignmentMatcher(): Matcher {
  return {
    anchors: [...passwordWords, ...otherWords],
    ignoresCase: true,
    isAnchorKept: true,
    match: matchAssignment,
  };
}

/** The kind of secret that a variable, a header or a key of JSON with this name holds. Undefined: not a secret. */
export function isNameOfSecret(name: string): "password" | "other" | undefined {
  const lower = name.toLowerCase();
  for (const [words, kind] of kinds) {
    const word = words.find(
      (word) => lower.includes(word) && secretTail.test(lower.slice(lower.lastIndexOf(word) + word.length)),
    );
    if (word !== undefined) return kind;
  }
  return undefined;
}

const kinds = [
  [passwordWords, "password"],
  [[...otherWords, "authorization", "cookie"], "other"],
] as const;

function matchAssignment(text: string, start: number, isLast: boolean): Finding {
  let from = text.length;
  const unsure = (): Finding => (isLast ? undefined : { isSure: false, from });
  const skip = (at: number, set: CharSet, most: number): number | undefined => {
    const end = endOfRun(text.slice(at, at + most + 1), 0, set);
    return end > most ? undefined : at + end;
  };

  const nameEnd = skip(start, nameCharacters, longestName);
  if (nameEnd === undefined) return undefined;
  if (nameEnd === text.length) return unsure();
  const name = text.slice(start, nameEnd);
  const kind = isNameOfSecret(name);
  if (kind === undefined) return undefined;

  const close = skip(nameEnd, quotes, mostQuotes);
  if (close === undefined) return undefined;
  const bracket = close > nameEnd && text.charAt(close) === "]" ? close + 1 : close;
  const separatorAt = skip(bracket, blanks, mostBlanks);
  if (separatorAt === undefined) return undefined;
  if (separatorAt + 1 >= text.length && (!isLast || separatorAt === text.length)) return unsure();
  const separator = /^(?:=>|:=|[=:](?![=:]))/.exec(text.slice(separatorAt, separatorAt + 2))?.[0];
  const isFlag = separator === undefined && separatorAt > bracket && isFlagAt(text, start);
  if (separator === undefined && !isFlag) return undefined;
  const after = separatorAt + (separator?.length ?? 0);
  const open = skip(after, blanks, mostBlanks);
  if (open === undefined) return undefined;
  const valueAt = skip(open, quotes, mostQuotes);
  if (valueAt === undefined) return undefined;
  if (valueAt === text.length) return unsure();
  from = valueAt;

  const isQuoted = valueAt > open;
  const set = isQuoted ? quotedCharacters : plainCharacters;
  const head = text.slice(valueAt, valueAt + longestValue + 1);
  const length = endOfRun(head, 0, set);
  const isLong = length > longestValue;
  const end = valueAt + Math.min(length, longestValue);
  if (end === text.length && !isLast) return unsure();
  const assigned: Assigned = {
    kind,
    value: text.slice(valueAt, end),
    isQuoted,
    form: isFlag
      ? "flag"
      : separator === ":"
        ? "colon"
        : open > after || separatorAt > bracket
          ? "wide"
          : "tight",
    next: isLong ? "" : text.charAt(end),
  };
  if (!isSecretValue(assigned)) return undefined;
  const mark = kind === "password" ? "password" : "secret";
  if (!isLong) return { isSure: true, from, to: end, kind: mark };
  const rest = createRunRest(set);
  const { to, isOver } = rest.follow(text, end, isLast);
  return { isSure: true, from, to, kind: mark, ...(!isOver && { rest }) };
}

/** True if the word is the end of a flag, such as `--db-password`. */
function isFlagAt(text: string, at: number): boolean {
  return /(?:^|[\s"'`[(,])--[A-Za-z0-9_-]*$/.test(text.slice(Math.max(0, at - contextLength), at));
}
