import type { Capture } from "./captures.js";

/*
 * Captures have thousands of records, most of them alike. Tests that try something with every record take one of each kind.
 */

/** The lengths of prefixes whose last two records are of kinds that no earlier prefix ended with. */
export function kindsOfPrefixes(captures: readonly Capture[]): { capture: Capture; lengths: number[] }[] {
  const seen = new Set<string>();
  return captures.map((capture) => {
    const kinds = capture.stdout.map(kindOfLine);
    const lengths = kinds.flatMap((kind, index) => {
      const key = `${kinds[index - 1]} ${kind}`;
      return seen.size < seen.add(key).size ? [index + 1] : [];
    });
    return { capture, lengths: [0, ...lengths] };
  });
}

/** One record of each kind, and the first record of its run. */
export function kindsOfRecords(captures: readonly Capture[]): { first: string; line: string }[] {
  const records = new Map<string, { first: string; line: string }>();
  for (const { stdout } of captures) {
    const [first = ""] = stdout;
    for (const line of stdout) {
      const kind = kindOfLine(line);
      if (line.trim() !== "" && !records.has(kind)) records.set(kind, { first, line });
    }
  }
  return [...records.values()];
}

/** The record without one of its fields, for each of them. */
export function maimed(line: string): string[] {
  const record = recordOf(line);
  return Object.keys(record).map((missing) => {
    const rest = Object.entries(record).filter(([key]) => key !== missing);
    return JSON.stringify(Object.fromEntries(rest));
  });
}

/** Which fields a record has, and the values of those that distinguish kinds. */
function kindOfLine(line: string): string {
  const shape = (value: unknown): string => {
    if (typeof value !== "object" || value === null) return "";
    if (Array.isArray(value)) return `[${[...new Set(value.map(shape))].join()}]`;
    return `{${Object.entries(value).map(([key, child]) => `${key}${distinguishing.has(key) ? `:${child}` : shape(child)}`)}}`;
  };
  return line.startsWith("{") ? shape(recordOf(line)) : "text";
}

const distinguishing = new Set(["type", "subtype", "role", "status", "tool", "toolName"]);

/** The discriminators of a line, so that arbitrary records reach the mapping's rules. */
export function typeOfLine(line: string): Record<string, unknown> {
  const record = recordOf(line);
  const keys = ["type", "subtype", "event", "item", "role"];
  return Object.fromEntries(keys.filter((key) => key in record).map((key) => [key, record[key]]));
}

/** The record of a line. A cut or pretty-printed line has none. */
function recordOf(line: string): Record<string, unknown> {
  try {
    return line.startsWith("{") ? JSON.parse(line) : {};
  } catch {
    return {};
  }
}
