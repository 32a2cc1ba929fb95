import type { ScriptPart, SimpleCommand } from "./parse-script.js";
import type { ShellWord } from "./shell-word.js";

/**
 * The fast path of `parseScript`. Most scripts of agents are plain and quoted words, joined by `|`, `&&`, `||` and `;`:
 *
 *     sed -n '10,20p' src/app.ts 2>/dev/null | head -n 5
 *
 * The shell expands nothing in them, so two regular expressions can split them.
 *
 * Undefined says nothing about a script but that the parser has to read it. For every other script the parser would give
 * the same parts; a property test compares the two.
 */
export function parsePlainScript(script: string): readonly ScriptPart[] | undefined {
  const parts: ScriptPart[] = [];
  let joint: ScriptPart["joint"] = ";";
  let first: SimpleCommand | undefined;
  let filters: SimpleCommand[] = [];
  for (let at = 0; ; at = operator.lastIndex) {
    const command = readCommand(script, at);
    if (command === undefined) return undefined;
    if (first === undefined) first = command;
    else filters.push(command);
    const found = operator.exec(script);
    if (found === null) return undefined;
    const sign = found[1];
    if (sign === "|") continue;
    parts.push({ pipeline: [first, ...filters], joint });
    if (sign !== "&&" && sign !== "||" && sign !== ";") return parts;
    joint = sign;
    first = undefined;
    filters = [];
  }
}

/** The first group is a redirection that changes nothing about files, the second one a word without expansions. */
const word = /[ \t]*(?:(2>(?:&1|\/dev\/null)(?=[ \t]|$))|((?:[\w./:@%+,=-]|'[^'\n]*'|"[^"\\$\x60\n]*")+))/y;

/** What follows a command. The group is left out at the end of the script. */
const operator = /[ \t]*(?:(\|\|?|&&|;)|$)/y;

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
    else if (plain.value === "" || reservedWords.has(plain.value)) return undefined;
    else program = plain.value;
  }
  return program === undefined ? undefined : { program, words, hasRedirections };
}

function toPlainWord(text: string): ShellWord {
  const start = text.charAt(0);
  if (start === "'" || start === '"') {
    const isOneQuote = text.indexOf(start, 1) === text.length - 1;
    return { value: isOneQuote ? text.slice(1, -1) : withoutQuotes(text), expansion: "none", isQuoted: true };
  }
  const hasQuotes = text.includes("'") || text.includes('"');
  return { value: hasQuotes ? withoutQuotes(text) : text, expansion: "none" };
}

function withoutQuotes(text: string): string {
  return text.replace(/'([^']*)'|"([^"]*)"/g, "$1$2");
}
