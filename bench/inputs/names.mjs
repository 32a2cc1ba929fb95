import { visit } from "./commands.mjs";

const pathField = /^(command|cmd|script|CommandLine)$|path|file|dir|cwd/i;
const stem = /(?<![\w.*])[A-Za-z]\w+(?=\.(?:ts|js|mjs|md|txt|trace|json|ipynb|png|py|sh)\b)/g;
const firstDirectory = /(?<![\w.~/-])[A-Za-z]\w+(?=\/[A-Za-z])/g;
/** Fields whose values are words of the agent's format and not of its work. */
const formatField = /^(type|subtype|name|tool|tool_name|toolName|kind|role|status|state|method|event|title)$/;
/** Words that are also a shell command or a word of an answer, or the name of a file that means something to an agent. */
const otherMeaning = new Set(["mv", "dir", "helper", "SKILL", "AGENTS", "CLAUDE"]);

/**
 * The names of files and folders that the work of these records is about, as they stand in commands and paths. The folders of the
 * machine (`/home`, `/workspace/…`) are none of them: a run works in one directory.
 */
export function namesIn(records) {
  const names = new Set();
  const words = new Set(otherMeaning);
  for (const record of records)
    visit(record, "", (value, key) => {
      if (formatField.test(key)) words.add(value);
      if (!pathField.test(key) || value.length > 1000) return;
      for (const pattern of [stem, firstDirectory])
        for (const [name] of value.matchAll(pattern)) names.add(name);
    });
  return [...names].filter((name) => !words.has(name));
}

/**
 * Matches these names as whole words in JSON text. In it, the letter of an escape (`\nsrc`) is no part of a word, and the name of
 * a field is not a name.
 */
export function namePattern(names) {
  if (names.length === 0) return "(?!)";
  return `(?:(?<!\\w)|(?<=\\\\[bfnrt]))(?:${names.join("|")})(?!\\w|\\\\*"\\s*:)`;
}
