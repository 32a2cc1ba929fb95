import { isNameOfSecret } from "./assignments.js";
import { toRedactionMark } from "./mark.js";
import { type Assigned, isSecretValue } from "./secret-value.js";

const longest = 4096;

/** The mark for a value whose name announces a secret. Undefined when the name does not. */
export function maskNamed(text: string, name: string): string | undefined {
  return maskValue(text, name, "colon");
}

/** The mark for a word of a command that follows a flag such as `--password`. */
export function maskAfterFlag(word: string, before: string | undefined): string | undefined {
  const isFlag = before !== undefined && /^--?[A-Za-z][\w-]*$/.test(before);
  return isFlag ? maskValue(word, before, "flag") : undefined;
}

function maskValue(value: string, name: string, form: Assigned["form"]): string | undefined {
  if (value.length > longest || /\s/.test(value)) return undefined;
  const kind = isNameOfSecret(name);
  if (kind === undefined || !isSecretValue({ kind, value, isQuoted: true, form, next: '"' }))
    return undefined;
  return toRedactionMark(kind === "password" ? "password" : "secret");
}
