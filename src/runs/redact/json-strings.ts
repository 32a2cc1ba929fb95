/** A string in a line of JSON. */
export interface JsonString {
  /** The decoded text. */
  text: string;
  /** The string as it is written in the line, with its quotes. */
  source: string;
  isKey: boolean;
  /** Names and indexes that lead to the string. The array changes while the line is walked: copy it to keep it. */
  path: readonly (string | number)[];
  /** The previous string in the same list. */
  previous: string | undefined;
}

interface Level {
  isObject: boolean;
  isKeyNext: boolean;
  previous: string | undefined;
}

/**
 * Calls `change` for each string of a line of valid JSON, in order, and returns the line in parts. A returned value replaces
 * the string; undefined leaves it. Everything else stays byte for byte: the spelling of numbers, blanks, repeated keys.
 */
export function mapJsonStrings<T>(
  line: string,
  change: (string: JsonString) => T | undefined,
): (string | T)[] {
  const parts: (string | T)[] = [];
  const path: (string | number)[] = [];
  const levels: Level[] = [];
  let copied = 0;

  function string(at: number, end: number): void {
    const source = line.slice(at, end);
    const text = source.includes("\\") ? decode(source) : source.slice(1, -1);
    const level = levels.at(-1);
    const isKey = level?.isKeyNext === true;
    if (isKey) path[path.length - 1] = text;
    const changed = change({ text, source, isKey, path, previous: level?.previous });
    if (level !== undefined) {
      if (!level.isObject) level.previous = text;
      level.isKeyNext = false;
    }
    if (changed === undefined) return;
    parts.push(line.slice(copied, at), changed);
    copied = end;
  }

  for (let at = 0; at < line.length; at += 1) {
    switch (line.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(line, at);
        string(at, end);
        at = end - 1;
        break;
      }
      case 0x7b:
        levels.push({ isObject: true, isKeyNext: true, previous: undefined });
        path.push("");
        break;
      case 0x5b:
        levels.push({ isObject: false, isKeyNext: false, previous: undefined });
        path.push(0);
        break;
      case 0x7d:
      case 0x5d:
        levels.pop();
        path.pop();
        break;
      case 0x2c:
        next();
        break;
    }
  }

  function next(): void {
    const level = levels.at(-1);
    const last = path.at(-1);
    if (level?.isObject) level.isKeyNext = true;
    else if (typeof last === "number") path[path.length - 1] = last + 1;
  }

  parts.push(line.slice(copied));
  return parts;
}

function decode(source: string): string {
  const text: unknown = JSON.parse(source);
  return typeof text === "string" ? text : "";
}

/** The position behind the closing quote, which has an even number of backslashes before it. */
function endOfString(line: string, start: number): number {
  for (let quote = line.indexOf('"', start + 1); quote !== -1; quote = line.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (line.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return line.length;
}
