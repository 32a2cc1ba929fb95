import { createRecent } from "../text/recent.js";
import type { FailureKind } from "./failure.js";
import { certainCodes, kindOfStatus, looseCodes } from "./failure-codes.js";
import { certainWords, likelyWords, type WordTable } from "./failure-words.js";

/** What is known about a failure: the agent's own code, an HTTP status, and its message. */
export interface FailureEvidence {
  code?: string | undefined;
  status?: number | undefined;
  text?: string | undefined;
}

/**
 * The kind of a failure, by meaning. The agent's code is the most specific evidence, then unmistakable words,
 * then the HTTP status, then weaker words, then vague codes. Anything else is
 * `unknown`: a wrong kind sends people looking in the wrong place.
 */
export function classifyFailure({ text = "", code = "", status }: FailureEvidence): FailureKind {
  const examined = text.slice(0, maxExamined);
  if (examined.length > longestRemembered) return kindOf(examined, code.toLowerCase(), status);
  const key = `${status ?? ""}\n${code.length}\n${code}${examined}`;
  const known = recent.get(key);
  if (known !== undefined) return known;
  const kind = kindOf(examined, code.toLowerCase(), status);
  recent.set(key, kind);
  return kind;
}

/** A run in trouble repeats its errors, and a hundred patterns take 10 µs for each. */
const recent = createRecent<string, FailureKind>(100);
const longestRemembered = 2000;

function kindOf(text: string, code: string, status: number | undefined): FailureKind {
  return (
    certainCodes.get(code) ??
    kindOfText(text, certainWords) ??
    kindOfStatus(status ?? statusInText(text)) ??
    kindOfText(text, likelyWords) ??
    looseCodes.get(code) ??
    "unknown"
  );
}

/** More than the last twenty lines of any agent. Messages have no length limit, so only this much is examined. */
const maxExamined = 32_768;

function kindOfText(text: string, table: WordTable): FailureKind | undefined {
  for (const [kind, patterns] of table) if (patterns.some((pattern) => pattern.test(text))) return kind;
  return undefined;
}

const named =
  /\b(?:status(?:\s*code)?|code|http(?:\/\d(?:\.\d)?)?|(?:api )?error)["']?[:=\s]+\(?([45]\d\d)\b/i;
const phrased =
  /\b([45]\d\d) (?:unauthorized|forbidden|payment required|too many requests|internal server error|bad gateway|service unavailable|gateway time-?out|overloaded)\b/i;

/** An HTTP status that the text names as one: "API Error: 500 …", "unexpected status 401 …", "HTTP 503". */
function statusInText(text: string): number | undefined {
  const status = named.exec(text)?.[1] ?? phrased.exec(text)?.[1];
  return status === undefined ? undefined : Number(status);
}
