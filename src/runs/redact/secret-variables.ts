/** A value that must not be shown, and the variable that holds it. */
export interface SecretVariable {
  name: string;
  value: string;
}

/** Words in a name that announce a secret. */
const secretWord =
  /(?:KEY|TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|COOKIE)$|^(?:PASS|PAT|PWD|AUTH|BEARER|JWT|DSN)$/;
/** If this is the last word of a name, the value is not a secret, whatever the words before it are. */
const publicWord =
  /^(?:FILE|PATH|DIR|DIRECTORY|SOCK|SOCKET|URL|URI|HOST|PORT|ID|NAME|USER|TYPE|METHOD|MODE|LIMIT|TTL|COUNT)$/;
const publicNames: ReadonlySet<string> = new Set(["PWD", "OLDPWD", "GOOGLE_APPLICATION_CREDENTIALS"]);
const shortest = 8;

/**
 * The variables whose names look like secrets. Values that occur everywhere are left out: short ones, numbers and plain
 * words.
 */
export function secretVariables(env: Readonly<Record<string, string | undefined>>): SecretVariable[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecretName(name) && isTelling(value)
      ? [value, ...linesOf(value)].map((value) => ({ name, value }))
      : [],
  );
}

const shortestLine = 16;

/** The lines of a value with several lines, because programs may print them one by one. */
function linesOf(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= shortestLine && isTelling(line));
}

function isSecretName(name: string): boolean {
  if (publicNames.has(name.toUpperCase())) return false;
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  return words.some((word) => secretWord.test(word)) && !publicWord.test(words.at(-1) ?? "");
}

function isTelling(value: string): boolean {
  return value.trim().length >= shortest && !/^(?:\d+|[a-z]{0,15}|[A-Z]{0,15})$/.test(value.trim());
}
