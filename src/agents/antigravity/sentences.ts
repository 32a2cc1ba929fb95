import type { FailureKind } from "../../events/failure.js";

/** What the words of an error say about its cause. */
export interface Cause {
  code?: string | undefined;
  status?: number | undefined;
}

/** A result whose status is neither SUCCESS nor ERROR. */
const statusKinds: Readonly<Record<string, FailureKind>> = {
  CANCELED: "cancelled",
  CANCELLED: "cancelled",
  INTERRUPTED: "cancelled",
  DENIED: "permission",
};

export function kindOfStatusWord(status: string): FailureKind | undefined {
  const word = status.toUpperCase();
  return Object.hasOwn(statusKinds, word) ? statusKinds[word] : undefined;
}

/** Antigravity's own sentences. SIGINT gives status ERROR with the one word `interrupted` (1.1.27). */
const sentences: readonly (readonly [words: RegExp, kind: FailureKind])[] = [
  [/^(?:error: )?interrupted\.?$/i, "cancelled"],
  [/\bindividual (?:quota|limit) reached\b/i, "quota"],
  [/^timeout waiting for response\b/i, "timed_out"],
  [/\bheadless mode cannot prompt for\b|\bauto-denied\b/, "permission"],
  [/^permission check failed\b|\buser denied permission\b/i, "permission"],
];

export function kindInWords(message: string): FailureKind | undefined {
  return sentences.find(([words]) => words.test(message))?.[1];
}

/** Lines of standard error that come with status SUCCESS and exit code 0. */
export const objections: readonly { words: RegExp; kind: FailureKind; code: string }[] = [
  { words: /^(?:\[agy\] )?print timeout after /, kind: "timed_out", code: "print_timeout" },
  { words: /\bheadless mode cannot prompt for\b/, kind: "permission", code: "permission_denied" },
];

/** `UNAVAILABLE (code 503): …`, or `Error 429, Message: …, Status: RESOURCE_EXHAUSTED, Details: []`. */
export function readCause(message: string): Cause {
  const short = /\b(?:([A-Z]+(?:_[A-Z]+)*) )?\(code (\d{3})\)/.exec(message);
  if (short !== null) return { code: short[1], status: Number(short[2]) };
  const status = /\bError (\d{3}), Message: /.exec(message)?.[1];
  if (status === undefined) return {};
  return { code: /, Status: ([A-Z_]+)\b/.exec(message)?.[1], status: Number(status) };
}
