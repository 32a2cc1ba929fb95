const commandField = /^(command|cmd|script|CommandLine)$/;

/** The shell commands in a record, by the names of their fields: texts, argument lists, and both inside JSON in a text. */
export function commandsIn(record) {
  const found = [];
  visit(record, "", (value, key) => {
    if (commandField.test(key) && value !== "") found.push(value);
  });
  return found;
}

/** Matches these commands in JSON text, or JSON in it, where one is a whole text, and so simple that a word can follow it. */
export function simpleCommandPattern(commands) {
  const simple = commands.filter((command) => /^[\w ./-]+$/.test(command));
  if (simple.length === 0) return "(?!)";
  const quoted = simple.map((command) => command.replaceAll(".", "\\."));
  return `(?<="(?:command|cmd|script|CommandLine)\\\\*": ?\\\\*")(?:${quoted.join("|")})(?=\\\\*")`;
}

/** Calls `see` with each text of a value and the name of the field that holds it. Of an argument list, only its last word counts. */
export function visit(value, key, see) {
  if (typeof value === "string") {
    see(value, key);
    const inner = parsed(value);
    if (inner !== undefined) visit(inner, "", see);
  } else if (Array.isArray(value)) {
    const isArgumentList = commandField.test(key) && value.every((word) => typeof word === "string");
    for (const one of isArgumentList ? value.slice(-1) : value) visit(one, key, see);
  } else if (value !== null && typeof value === "object") {
    for (const [name, one] of Object.entries(value)) visit(one, name, see);
  }
}

function parsed(text) {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
