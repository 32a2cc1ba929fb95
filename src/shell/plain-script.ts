import type { ScriptPart, SimpleCommand } from "./parse-script.js";
import type { ShellWord } from "./shell-word.js";

/** The parser would read it, and `parseScript` would return undefined: it writes a file, or has a here-document. */
export const refusedScript = Symbol("refused");

/**
 * The fast path of `parseScript`. Most scripts of agents are plain and quoted words, joined by `|`, `&&`, `||` and `;`:
 *
 *     sed -n '10,20p' src/app.ts 2>/dev/null | head -n 5
 *
 * The shell expands nothing in them but wildcards, so two regular expressions can split them. 10,000 different commands are
 * understood in half the time of the parser, which also takes a while until it is compiled.
 *
 * Undefined says nothing about a script but that the parser has to read it. For every other script the parser would give
 * the same parts; a property test compares the two.
 */
export function parsePlainScript(script: string): readonly ScriptPart[] | typeof refusedScript | undefined {
  const parts: ScriptPart[] = [];
  let joint: ScriptPart["joint"] = ";";
  let first: SimpleCommand | undefined;
  let filters: SimpleCommand[] = [];
  for (let at = 0; ; at = operator.lastIndex) {
    const command = readCommand(script, at);
    if (command === undefined) return undefined;
    if (first === undefined) first = command;
    else filters.push(command);
    const end = operator.lastIndex;
    const found = operator.exec(script);
    if (found === null) return isRefused(script, end) ? refusedScript : undefined;
    const sign = found[1];
    if (sign === "|") continue;
    parts.push({ pipeline: [first, ...filters], joint });
    if (sign !== "&&" && sign !== "||" && sign !== ";") return parts;
    joint = sign;
    first = undefined;
    filters = [];
  }
}

/** The first group is a redirection that changes nothing about files, the second one a word. */
const word =
  /[ \t]*(?:(2>(?:&1|\/dev\/null)(?=[ \t]|$))|((?:[\w./:@%+,=~*?-]|'[^'\n]*'|"[^"\\$\x60\n]*")+))/y;

/** What follows a command. The group is left out at the end of the script. */
const operator = /[ \t]*(?:(\|\|?|&&|;)|$)/y;

/** A here-document, and output to a file. Whatever follows, the script is then more than commands that read files. */
const refusal = /[ \t]*(?:<<|>>?[ \t]*(?!\/dev\/)[\w./-])/y;

function isRefused(script: string, at: number): boolean {
  refusal.lastIndex = at;
  return refusal.test(script);
}

/** With a `=` before any quote, the parser may see an assignment. Names of options begin with a dash. */
const assignment = /^[^'"-][^'"]*=/;

/** Words that are not programs where a command begins. The others have characters that are not plain. */
const reservedWords = new Set(
  "if then else elif fi do done for while until in case esac function select coproc time".split(" "),
);

/** Reads one command from `at` on. `operator` then stands behind it. */
function readCommand(script: string, at: number): SimpleCommand | undefined {
  let program: string | undefined;
  let hasRedirections = false;
  const words: ShellWord[] = [];
  operator.lastIndex = at;
  word.lastIndex = at;
  for (let found = word.exec(script); found !== null; found = word.exec(script)) {
    operator.lastIndex = word.lastIndex;
    const text = found[2];
    if (text === undefined) {
      // A redirection before the program is left to the parser.
      if (program === undefined) return undefined;
      hasRedirections = true;
      continue;
    }
    if (assignment.test(text)) return undefined;
    const plain = toPlainWord(text);
    if (program !== undefined) words.push(plain);
    else if (plain.value === "" || plain.expansion !== "none" || reservedWords.has(plain.value))
      return undefined;
    else program = plain.value;
  }
  return program === undefined ? undefined : { program, words, hasRedirections };
}

function toPlainWord(text: string): ShellWord {
  const start = text.charAt(0);
  if (start === "'" || start === '"') {
    if (text.indexOf(start, 1) === text.length - 1)
      return { value: text.slice(1, -1), expansion: "none", isQuoted: true };
    return { value: withoutQuotes(text), expansion: expansionOf(text), isQuoted: true };
  }
  const hasQuotes = text.includes("'") || text.includes('"');
  return { value: hasQuotes ? withoutQuotes(text) : text, expansion: expansionOf(text) };
}

function expansionOf(text: string): "glob" | "none" {
  if (!text.includes("*") && !text.includes("?")) return "none";
  return /[*?]/.test(text.replace(quoted, "")) ? "glob" : "none";
}

const quoted = /'([^']*)'|"([^"]*)"/g;

function withoutQuotes(text: string): string {
  return text.replace(quoted, "$1$2");
}
