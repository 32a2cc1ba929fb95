import { asArray, asObject, asText, firstText } from "../text/fields.js";
import type { JsonObject, JsonValue } from "../text/json.js";
import { toJsonText } from "../text/to-json.js";

/** Names of fields that hold what a record says, the most telling first. */
const textFields = [
  "message",
  "msg",
  "text",
  "content",
  "output",
  "answer",
  "response",
  "result",
  "summary",
  "error",
  "delta",
];
const levelFields = ["level", "severity", "levelname", "lvl"];
/** The levels that loggers write as numbers. */
const numberedLevels: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};
/** These need not be said. */
const plainLevels: ReadonlySet<string> = new Set(["info", "information", "log", "notice"]);
/** A text may be inside: `{ "message": { "content": [{ "text": … }] } }`. */
const deepest = 3;

/** Fields, or a list, that are longer than this say nothing to people. */
const longest = 400;

/**
 * A record of a program whose format is not known, for people: what it says, with its level or who says it, or else its fields.
 * Undefined if they are too many. Not yet safe to show.
 */
export function describeRecord(value: JsonValue): string | undefined {
  const record = asObject(value);
  const text = textOf(record, 0);
  if (record !== undefined && text !== undefined) return `${prefixOf(record)}${text}`;
  const fields = record === undefined ? toJsonText(value) : fieldsOf(record);
  return fields.length > longest ? undefined : fields;
}

function textOf(value: JsonValue | undefined, depth: number): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (depth > deepest) return undefined;
  const list = asArray(value);
  if (list !== undefined) {
    const texts = list.map((item) => textOf(item, depth + 1));
    return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join("\n") : undefined;
  }
  const record = asObject(value);
  if (record === undefined) return undefined;
  for (const field of textFields) {
    const text = textOf(record[field], depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

function prefixOf(record: JsonObject): string {
  const level = levelOf(record);
  const role = asText(record["role"]);
  const words = [
    ...(level === undefined || plainLevels.has(level) ? [] : [level]),
    ...(role === undefined || role === "assistant" ? [] : [role]),
  ];
  return words.length === 0 ? "" : `${words.join(" ")}: `;
}

function levelOf(record: JsonObject): string | undefined {
  const word = firstText(record, levelFields)?.toLowerCase();
  if (word !== undefined) return word;
  const number = levelFields.map((field) => record[field]).find((level) => typeof level === "number");
  return typeof number === "number" ? numberedLevels[number] : undefined;
}

function fieldsOf(record: JsonObject): string {
  const pairs = Object.entries(record).map(
    ([key, value]) => `${key}: ${typeof value === "string" ? value : toJsonText(value)}`,
  );
  return pairs.length === 0 ? "{}" : pairs.join("  ");
}
