/** A kind of secret that can be told by its looks. */
export interface Shape {
  /** For people: what was there. */
  kind: string;
  /** Text that is in every secret of this kind: looked for first, since most lines hold none. */
  hint: string;
  /** Every match is masked; a group named `kept` at its beginning is not. */
  pattern: RegExp;
}

/** Escapes of JSON (`\n`, `\u001b`) and colours of a terminal (`[31m`) end in a letter or a digit. */
const afterEscape = String.raw`(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})|(?<=\[[0-9;]{0,12}m)`;

/** Where a secret can begin: not in the middle of a word. */
const start = `(?:(?<![A-Za-z0-9])|${afterEscape})`;
const startOfRun = `(?:(?<![A-Za-z0-9_-])|${afterEscape})`;

const word = "[A-Za-z0-9_-]";

/**
 * The keys of those whom coding agents talk to, and what shows up on the way. Agents decide what is printed,
 * so no pattern may take longer than the text is long: repetitions that something must follow have an end.
 */
export const shapes: readonly Shape[] = [
  shape("private-key", "PRIVATE KEY", privateKey()),
  shape("anthropic-key", "sk-ant-", `${start}sk-ant-${word}{16,}`),
  shape("api-key", "sk-", `${startOfRun}sk-(?=${word}{0,200}[0-9])${word}{20,}`),
  shape("github-token", "gh", `${start}gh[pousr]_[A-Za-z0-9]{20,}`),
  shape("github-token", "github_pat_", `${start}github_pat_[A-Za-z0-9_]{20,}`),
  shape("gitlab-token", "glpat-", `${start}glpat-${word}{16,}`),
  shape("slack-token", "xox", `${start}xox[a-z]-[A-Za-z0-9-]{10,}`),
  shape("slack-token", "xapp-", `${start}xapp-[A-Za-z0-9-]{10,}`),
  shape("slack-webhook", "hooks.slack.com", `(?<kept>hooks\\.slack\\.com/services/)[A-Za-z0-9/]{20,}`),
  shape("aws-key", "IA", `${start}(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])`),
  shape("google-key", "AIza", `${start}AIza${word}{35}`),
  shape("google-token", "ya29.", `${start}ya29\\.[A-Za-z0-9_.-]{20,}`),
  shape("stripe-key", "k_", `${start}[sr]k_(?:live|test)_[A-Za-z0-9]{16,}`),
  shape("npm-token", "npm_", `${start}npm_[A-Za-z0-9]{30,}`),
  shape("pypi-token", "pypi-", `${start}pypi-${word}{30,}`),
  shape("huggingface-token", "hf_", `${start}hf_[A-Za-z0-9]{20,}`),
  shape("groq-key", "gsk_", `${start}gsk_[A-Za-z0-9]{20,}`),
  shape("xai-key", "xai-", `${start}xai-[A-Za-z0-9]{20,}`),
  shape("perplexity-key", "pplx-", `${start}pplx-[A-Za-z0-9]{20,}`),
  shape("replicate-token", "r8_", `${start}r8_[A-Za-z0-9]{20,}`),
  shape("tavily-key", "tvly-", `${start}tvly-${word}{16,}`),
  shape("sendgrid-key", "SG.", `${start}SG\\.${word}{16,100}\\.${word}{16,}`),
  shape("age-key", "AGE-SECRET-KEY-1", `AGE-SECRET-KEY-1[A-Z0-9]{20,}`),
  shape("jwt", "eyJ", `${startOfRun}eyJ${word}{8,4000}\\.${word}{8,8000}\\.${word}{8,}`),
  shape("bearer-token", "earer ", `(?<kept>[Bb]earer {1,4})[A-Za-z0-9._~+/=-]{16,}`),
  shape(
    "basic-credentials",
    "asic ",
    `(?<kept>[Aa]uthorization[\\\\"'\\s:=]{1,10}[Bb]asic )[A-Za-z0-9+/=_-]{8,}`,
  ),
  shape("api-key", "pi-", `(?<kept>[Xx]-[Aa]pi-[Kk]ey[\\\\"'\\s:=]{1,10})[A-Za-z0-9._-]{16,}`),
  shape("password", "://", `(?<kept>://[^\\s/:@"'\\\\]{0,256}:)[^\\s/@"'\\\\]{1,256}(?=@)`),
];

/**
 * From the first line of a key to its last, or as far as it can be a key: PEM, its headers, JSON's line feeds,
 * and the line numbers that tools put before each line (`2→MII…`, `+MII…`).
 */
function privateKey(): string {
  const name = "[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?";
  return `-----BEGIN ${name}-----(?:[A-Za-z0-9+/=:,.|>→\\s]|-(?!----)|\\\\{1,8}[nrt]){0,20000}(?:-----END ${name}-----)?`;
}

function shape(kind: string, hint: string, pattern: string): Shape {
  return { kind, hint, pattern: new RegExp(pattern, "g") };
}
