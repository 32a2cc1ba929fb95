/** What is assigned to the name of a secret, and how. */
export interface Assigned {
  /** Passwords may be short words; other secrets are made by machines. */
  kind: "password" | "other";
  value: string;
  isQuoted: boolean;
  /** `a=b`, `a = b`, `a: b` or `--a b`. */
  form: "tight" | "wide" | "colon" | "flag";
  /** The character behind the value; empty at the end of the text. */
  next: string;
}

/** So much of a value is looked at. */
export const longestValue = 256;

const placeholder =
  /^(?:[*.x•#_-]+|null|none|nil|undefined|true|false|string|number|boolean|bool|int|integer|any|unknown|void|required|optional|(?:a|an|the|your|my|new|old|some)(?:[-_ ].*)?|password\d?|passwd|passphrase|pwd|secret|token|key|api[-_]?key|example.*|change-?_?me|redacted|hidden|masked|empty|missing|invalid|input|text)$/i;
/** `process.env.X`, `args.password`: where a value comes from, not the value. */
const path = /^[A-Za-z_][A-Za-z0-9_]*(?:\??[.:][:A-Za-z_][A-Za-z0-9_]*)+[!?]?$/;
/** `e.tokens.length-1` */
const expression = /^[A-Za-z_][A-Za-z0-9_]*\.[A-Za-z_]/;
const file = /^(?:[~.]{0,2}|[A-Za-z]:)[\\/](?:[\w.@-]{0,40}[\\/])*[\w.@-]{0,40}$/;
const digit = /[0-9]/;
const letter = /[A-Za-z]/;
const sign = /[^A-Za-z0-9\s_.,:;!?'-]/;
const closing = /^(?:$|[\s"'`\\,;&)}\]|<>])$/;

/** Whether it is a value that somebody chose or was given, and no code, type, placeholder or sentence. */
export function isSecretValue({ kind, value, isQuoted, form, next }: Assigned): boolean {
  if (placeholder.test(value) || file.test(value) || !closing.test(next)) return false;
  if (isQuoted && next !== "" && !/["'`\\]/.test(next)) return false;
  if (!isQuoted && (path.test(value) || /^[-$%@!:=/]/.test(value))) return false;
  if (!isQuoted && form !== "tight" && expression.test(value)) return false;
  return kind === "password" ? isPassword(value, isQuoted, form, next) : isToken(value, isQuoted, form);
}

function isPassword(value: string, isQuoted: boolean, form: Assigned["form"], next: string): boolean {
  if (value.length < 4) return false;
  const isMixed = digit.test(value) && letter.test(value);
  if (isMixed || sign.test(value)) return form !== "wide" || isQuoted || sign.test(value) || next !== ")";
  if (/^[0-9]+$/.test(value)) return value.length >= 6;
  if (form === "colon" || form === "flag") return isQuoted && /[-_.]|[a-z][A-Z]/.test(value);
  if (isQuoted) return value.length >= 6;
  // `connect(password=secret, …)` is code; `password=secret&…` and a line of an environment are not.
  return form === "tight" && value.length >= 6 && !/[,)]/.test(next);
}

function isToken(value: string, isQuoted: boolean, form: Assigned["form"]): boolean {
  if (!digit.test(value) || !letter.test(value)) return false;
  if (isQuoted || form === "tight" || form === "flag") return value.length >= 8;
  return value.length >= 16;
}
